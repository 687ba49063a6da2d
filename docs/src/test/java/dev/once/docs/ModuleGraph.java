package dev.once.docs;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Modules, and an arrow for each dependency that does not follow from other arrows. */
record ModuleGraph(List<String> modules, List<Arrow> arrows) {
  record Arrow(String from, String to, boolean isOptional) {}

  ModuleGraph {
    modules = List.copyOf(modules);
    arrows = List.copyOf(arrows);
  }

  static ModuleGraph of(List<MavenModule> modules) {
    Map<String, MavenModule> byName =
        modules.stream().collect(Collectors.toMap(MavenModule::name, Function.identity()));
    List<Arrow> arrows =
        modules.stream()
            .flatMap(
                module ->
                    module.dependencies().stream()
                        .filter(it -> !followsFromOthers(module, it, byName))
                        .map(it -> new Arrow(module.name(), it.on(), it.isOptional())))
            .toList();
    return new ModuleGraph(modules.stream().map(MavenModule::name).sorted().toList(), arrows);
  }

  /** The length of the longest way from a module to one without dependencies. */
  int layerOf(String module) {
    return arrows.stream()
        .filter(it -> it.from().equals(module))
        .mapToInt(it -> layerOf(it.to()) + 1)
        .max()
        .orElse(0);
  }

  /** An optional dependency brings nothing else with it, except to another optional one. */
  private static boolean followsFromOthers(
      MavenModule module, MavenModule.Dependency dependency, Map<String, MavenModule> byName) {
    return module.dependencies().stream()
        .filter(it -> !it.on().equals(dependency.on()))
        .filter(it -> !it.isOptional() || dependency.isOptional())
        .anyMatch(it -> requires(it.on(), dependency.on(), byName));
  }

  private static boolean requires(String from, String to, Map<String, MavenModule> byName) {
    MavenModule module = byName.get(from);
    if (module == null) {
      throw new IllegalStateException("a library depends on " + from + ", which is not published");
    }
    return module.dependencies().stream()
        .filter(it -> !it.isOptional())
        .anyMatch(it -> it.on().equals(to) || requires(it.on(), to, byName));
  }
}
