package dev.once.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the planning service, packaged to be run with {@code java -jar}. */
final class PlanningJar {
  /** Where the build puts it, relative to {@code once.root} or the working directory. */
  static final Path FOLDER =
      Path.of(System.getProperty("once.root", ""), "examples", "planning", "target");

  private PlanningJar() {}

  /** Returns the jar at {@code place}, or the only jar of the service if that is a folder. */
  static Path find(Path place) throws IOException {
    if (Files.isRegularFile(place)) {
      return place;
    }
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(place)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(place, "planning-*.jar")) {
        jars.forEach(found::add);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "there must be one planning-*.jar in %s, found %s: build it with `mvn package -pl examples/planning -am`, or name it with --service"
              .formatted(place.toAbsolutePath().normalize(), found));
    }
    return found.get(0);
  }
}
