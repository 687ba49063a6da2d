package dev.once.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The body of a request. */
final class BodyOptions {
  private static final String JSON = "application/json";

  @Option(names = "--json")
  private @Nullable String json;

  @Option(names = "--body-file")
  private @Nullable Path file;

  @Option(names = "--content-type")
  private @Nullable String contentType;

  /** A body and its media type. */
  @SuppressWarnings("ArrayRecordComponent") // Nothing compares bodies.
  record Body(String contentType, byte[] bytes) {}

  /** Returns the body; empty if none was given. */
  Optional<Body> body() {
    if (json != null && file != null) {
      throw new Misuse("give one of both: --json <body> or --body-file <path>");
    }
    if (json == null && file == null) {
      if (contentType != null) {
        throw new Misuse("--content-type needs a body: give --json <body> or --body-file <path>");
      }
      return Optional.empty();
    }
    String type = contentType == null ? JSON : contentType;
    byte[] bytes = file == null ? text(json) : read(file);
    return Optional.of(new Body(type, bytes));
  }

  private static byte[] text(@Nullable String text) {
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandException("the body in " + file + " cannot be read: check --body-file", e);
    }
  }
}
