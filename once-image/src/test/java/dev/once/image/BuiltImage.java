package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An image that the command wrote: read as an engine reads it, not by the code that wrote it. */
record BuiltImage(Path layout) {
  static final String VERSION = "1.2.3-test";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Path WORKSPACE = Path.of("target/test-image").toAbsolutePath();

  private static @Nullable BuiltImage shared;

  /** A file of a layer. */
  interface FileReader {
    void read(TarArchiveEntry entry, InputStream content) throws IOException;
  }

  /** Returns the image that all tests of this JVM share; the first call writes it. */
  static synchronized BuiltImage shared() throws IOException {
    BuiltImage existing = shared;
    if (existing != null) {
      return existing;
    }
    deleteTree(WORKSPACE);
    BuiltImage written = write(WORKSPACE.resolve("layout"));
    shared = written;
    return written;
  }

  /** Writes an image as {@code ./once image} does. */
  static BuiltImage write(Path output) throws IOException {
    Path jars = WORKSPACE.resolve("jars");
    int exitCode =
        Main.run(
            "--jars",
            (Files.exists(jars) ? jars : GatewayJars.in(jars)).toString(),
            "--version",
            VERSION,
            "--output",
            output.toString());
    assertThat(exitCode).isZero();
    return new BuiltImage(output);
  }

  JsonNode json(String path) throws IOException {
    return JSON.readTree(Files.readAllBytes(layout.resolve(path)));
  }

  JsonNode index() throws IOException {
    return json("index.json");
  }

  JsonNode manifest() throws IOException {
    return json(blob(index().at("/manifests/0")));
  }

  JsonNode config() throws IOException {
    return json(blob(manifest().path("config")));
  }

  /** Returns the words of a list in the part of the config that describes the process. */
  List<String> words(String pointer) throws IOException {
    return config().at("/config" + pointer).valueStream().map(JsonNode::stringValue).toList();
  }

  static String blob(JsonNode descriptor) {
    return "blobs/" + descriptor.path("digest").stringValue().replace(':', '/');
  }

  /** Reads the files of all layers, the lowest layer first. */
  void readLayers(FileReader reader) throws IOException {
    for (JsonNode layer : manifest().path("layers")) {
      readLayer(layer, reader);
    }
  }

  void readLayer(JsonNode layer, FileReader reader) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new GZIPInputStream(
                new BufferedInputStream(Files.newInputStream(layout.resolve(blob(layer))))))) {
      for (TarArchiveEntry it = tar.getNextEntry(); it != null; it = tar.getNextEntry()) {
        reader.read(it, tar);
      }
    }
  }

  /** Returns the names of all files, in the order in which they are written. */
  List<String> files() throws IOException {
    List<String> names = new ArrayList<>();
    readLayers((entry, content) -> names.add(entry.getName()));
    return names;
  }

  static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
