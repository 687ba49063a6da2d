package dev.once.testkit;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The outcomes that tests record. */
final class Outcomes {
  static final Outcome FIRST = text("charged 100, receipt 1");
  static final Outcome SECOND = text("charged 100, receipt 2");

  private Outcomes() {}

  static Outcome text(String text) {
    return Outcome.completed(Payload.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  static Outcome response(int status, Headers headers, String body) {
    Payload payload = Payload.of(body.getBytes(StandardCharsets.UTF_8));
    return new Outcome(status >= 400, status, headers, payload);
  }

  /** Bytes that no compression makes smaller, the same for the same seed. */
  static byte[] noise(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
