package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Published test vectors; each folder's SOURCE.txt lists their origin. */
final class Vectors {
  private Vectors() {}

  static byte[] bytes(String path) {
    try {
      return Files.readAllBytes(root().resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(String path) {
    return new String(bytes(path), UTF_8).lines().toList();
  }

  /** Returns the names of the files in a folder that start with {@code prefix}, in order. */
  static List<String> names(String folder, String prefix) {
    try (Stream<Path> files = Files.list(root().resolve(folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    try {
      var jcs = Objects.requireNonNull(Vectors.class.getResource("/jcs"), "vectors are missing");
      return Objects.requireNonNull(Path.of(jcs.toURI()).getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("vectors must be files on the class path", e);
    }
  }
}
