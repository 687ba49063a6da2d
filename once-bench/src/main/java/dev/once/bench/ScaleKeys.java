package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The keys of the records that {@link ScaleTable} inserts, computed from their numbers. Half of
 * them belong to one large tenant and half to a thousand small ones; values look like random UUIDs.
 */
final class ScaleKeys {
  static final int SMALL_TENANTS = 1000;
  static final String SCOPE = "POST /orders";

  private ScaleKeys() {}

  /** Returns the key of record {@code number}. */
  static Key key(long number) {
    String hash = md5(number);
    String value =
        String.join(
            "-",
            hash.substring(0, 8),
            hash.substring(8, 12),
            hash.substring(12, 16),
            hash.substring(16, 20),
            hash.substring(20));
    return new Key(tenant(number), SCOPE, value);
  }

  /** Returns a key that no record has, of the same tenant as record {@code number}. */
  static Key unused(long number) {
    return new Key(tenant(number), SCOPE, "new-" + UUID.fromString(Sample.newKey()));
  }

  static Fingerprint fingerprint(long number) {
    return new Fingerprint("sha256", md5(number));
  }

  private static String tenant(long number) {
    return number % 2 == 0 ? Sample.TENANT : "tenant-" + number / 2 % SMALL_TENANTS;
  }

  private static String md5(long number) {
    try {
      byte[] text = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }
}
