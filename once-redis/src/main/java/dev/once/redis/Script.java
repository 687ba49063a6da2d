package dev.once.redis;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What Redis does with one record in one step. A script is sent by its hash, which is known without
 * asking, and as text to a server that does not know it yet or any more.
 */
enum Script {
  CLAIM,
  COMPLETE,
  RELEASE,
  RENEW,
  REOPEN,
  EXPIRE,
  FIND,
  WATCH;

  final String text;
  final String sha;

  Script() {
    this.text = read("look") + read(word());
    this.sha = Base16.digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The word for this step, in messages and as the name of its file. */
  final String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static String read(String name) {
    try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new AssertionError("the script " + name + " is missing from this module");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
