package dev.once.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file operations of the server's launcher. */
final class PostgresFiles {
  private PostgresFiles() {}

  /** Deletes a directory with its content; links are deleted, not followed. */
  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> names = Files.list(directory)) {
      return names.findAny().isEmpty();
    }
  }

  /** Counts everything below {@code root}, following no link. */
  static long countTree(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.count();
    }
  }

  /**
   * Returns the lines of a file that another process may write or remove meanwhile; none if it does
   * not exist.
   */
  static List<String> lines(Path file) throws IOException {
    try {
      // Latin-1 decodes any bytes: a half-written line must not fail the reader.
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
