package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Terms;
import dev.once.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** The operation that is measured: a typical one, on default terms, with a small answer. */
final class Sample {
  static final String TENANT = "acme";
  static final Fingerprint FINGERPRINT = Fingerprint.sha256("{\"amount\":12}");
  static final String TEXT = "{\"ok\":true}";
  static final byte[] ANSWER = TEXT.getBytes(StandardCharsets.UTF_8);
  static final Terms TERMS = Terms.DEFAULT;

  private Sample() {}

  static String newKey() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  static List<String> newKeys(int count) {
    return Stream.generate(Sample::newKey).limit(count).toList();
  }

  static void requireFound(String key, boolean isFound) {
    if (!isFound) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  static <T> T anyOf(List<T> values) {
    return values.get(ThreadLocalRandom.current().nextInt(values.size()));
  }

  /** Returns what PostgreSQL computes for the same number. */
  static String md5(long number) {
    try {
      byte[] text = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }

  static ClaimRequest claim(Key key, Fingerprint fingerprint, Duration lease) {
    return ClaimRequest.of(key, lease, TERMS.retention())
        .withFingerprint(fingerprint)
        .withRecovery(TERMS.recovery())
        .withMaxAttempts(TERMS.maxAttempts());
  }

  static Outcome outcome(String answer) {
    return Outcome.completed(Payload.of(answer.getBytes(StandardCharsets.UTF_8)));
  }
}
