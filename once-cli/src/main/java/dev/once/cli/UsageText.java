package dev.once.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The usage of each command, in a resource of its own: the script prints the same files without a
 * build.
 */
final class UsageText {
  private UsageText() {}

  static String of(CommandSpec command) {
    String name = command.qualifiedName("-").replaceFirst("^once-", "") + ".txt";
    try (InputStream text = UsageText.class.getResourceAsStream(name)) {
      return text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
