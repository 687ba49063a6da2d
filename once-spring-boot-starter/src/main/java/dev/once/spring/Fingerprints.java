package dev.once.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import org.jspecify.annotations.Nullable;

/** Builds the fingerprinter that the settings describe. */
final class Fingerprints {
  private Fingerprints() {}

  static Fingerprinter of(@Nullable String secret) {
    return of(secret, CanonicalJson.standard());
  }

  static Fingerprinter of(@Nullable String secret, CanonicalJson rule) {
    Fingerprinter.Builder builder = Fingerprinter.builder().json(rule);
    if (secret == null) {
      return builder.build();
    }
    try {
      return builder.key(secret.getBytes(UTF_8)).build();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.fingerprint-secret is too short: " + e.getMessage() + ".",
          "Set it to 32 random characters or more, and keep it: fingerprints of two secrets never"
              + " match.");
    }
  }
}
