package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.docs.MavenModule.Dependency;
import dev.once.docs.ModuleGraph.Arrow;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModuleGraphTest {
  private final MavenModule core = module("core");
  private final MavenModule json = module("json", new Dependency("core", false));

  @Test
  void leavesOutArrowsThatFollowFromOthers() {
    MavenModule http = module("http", new Dependency("core", false), new Dependency("json", false));

    assertThat(ModuleGraph.of(List.of(core, json, http)).arrows())
        .containsExactly(new Arrow("json", "core", false), new Arrow("http", "json", false));
  }

  @Test
  void keepsARequiredArrowBesideAnOptionalOne() {
    MavenModule http = module("http", new Dependency("core", false), new Dependency("json", true));

    assertThat(ModuleGraph.of(List.of(core, json, http)).arrows())
        .contains(new Arrow("http", "core", false), new Arrow("http", "json", true));
  }

  @Test
  void layersEachModuleAboveAllThatItDependsOn() {
    MavenModule http = module("http", new Dependency("json", true));
    ModuleGraph graph = ModuleGraph.of(List.of(core, json, http));

    assertThat(graph.modules()).extracting(graph::layerOf).containsExactly(0, 2, 1);
  }

  private static MavenModule module(String name, Dependency... dependencies) {
    return new MavenModule(name, "dev.once." + name, true, List.of(dependencies));
  }
}
