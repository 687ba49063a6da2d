package dev.once.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Fingerprint;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonLimits;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds the fingerprinter that the settings describe, and uses it for jobs. */
final class Fingerprints {
  private static final String PLAIN = Fingerprinter.sha256().algorithm();

  private Fingerprints() {}

  /**
   * Returns the fingerprinter of requests and calls.
   *
   * @param maxBytes the largest JSON
   */
  static Fingerprinter of(OnceProperties properties, int maxBytes) {
    OnceProperties.Http http = properties.http();
    try {
      JsonLimits limits = JsonLimits.DEFAULTS.withMaxBytes(maxBytes);
      if (http.maxDepth() != null) {
        limits = limits.withMaxDepth(http.maxDepth());
      }
      if (http.maxDigits() != null) {
        limits = limits.withMaxDigits(http.maxDigits());
      }
      return of(properties.fingerprintSecret(), CanonicalJson.standard().within(limits));
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "JSON bodies: " + e.getMessage() + ".",
          "Change once.http.max-body, once.http.max-depth or once.http.max-digits.");
    }
  }

  /**
   * Returns how the fingerprints of jobs and webhooks are stored: keyed, if {@code fingerprinter}
   * is. Without a key they stay as they are, so that applications without Spring can share the
   * tables.
   */
  static UnaryOperator<Fingerprint> stored(Fingerprinter fingerprinter) {
    return fingerprinter.algorithm().equals(PLAIN)
        ? UnaryOperator.identity()
        : it -> fingerprinter.start().text(it.toString()).finish();
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
