package dev.once.docs;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A table of the packages that each library may use besides its own. */
final class AllowedPackages {
  /** Code of every library may use these. */
  private static final Set<String> FREE = free();

  private final Map<String, Set<String>> ofOnce = new HashMap<>();
  private final Map<String, Set<String>> ofOthers = new HashMap<>();

  /**
   * Reads rows of three columns: a library, packages of Once and packages of others. A row without
   * a library continues the one above. Packages of Once are exact and are written without {@code
   * dev.once}; those of others include the packages below them.
   *
   * @param core the packages that are called {@code core} in the table
   */
  AllowedPackages(List<String> core, String table) {
    String library = "";
    for (String line : table.lines().skip(1).toList()) {
      String[] cells = line.split("\\|", 3);
      library = cells[0].isBlank() ? library : cells[0].strip();
      Set<String> once = ofOnce.computeIfAbsent(library, it -> new HashSet<>());
      names(cells[1])
          .flatMap(it -> it.equals("core") ? core.stream() : Stream.of("dev.once." + it))
          .forEach(once::add);
      names(cells[2]).forEach(ofOthers.computeIfAbsent(library, it -> new HashSet<>())::add);
    }
  }

  Set<String> libraries() {
    return ofOnce.keySet();
  }

  boolean allows(String library, String packageName) {
    return FREE.contains(packageName)
        || ofOnce.getOrDefault(library, Set.of()).contains(packageName)
        || isIn(ofOthers.getOrDefault(library, Set.of()), packageName);
  }

  /** Returns whether a package is one of {@code roots} or below one. */
  static boolean isIn(Set<String> roots, String packageName) {
    return roots.stream().anyMatch(it -> (packageName + ".").startsWith(it + "."));
  }

  private static Stream<String> names(String cell) {
    return Stream.of(cell.split(",", -1)).map(String::strip).filter(it -> !it.isEmpty());
  }

  private static Set<String> free() {
    Set<String> free = new HashSet<>(Object.class.getModule().getPackages());
    free.add("org.jspecify.annotations");
    return free;
  }
}
