package dev.once;

import dev.once.internal.Limits;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Names one operation: the tenant it belongs to, the scope in which its value is unique, and the
 * value that its client, provider or producer chose. Parts are compared character by character:
 * case, spaces and Unicode forms all count, and a separator inside a part is never taken for the
 * boundary between two parts.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param scope the family of operations, such as {@code webhook:whatsapp}, 1 to 512 characters
 * @param value what the client calls this operation, 1 to 255 characters
 */
public record Key(String tenant, String scope, String value) {
  public static final int MAX_TENANT_CHARS = 128;
  public static final int MAX_SCOPE_CHARS = 512;
  public static final int MAX_VALUE_CHARS = 255;

  /** All three parts together, in UTF-8. A PostgreSQL B-tree index entry has at most 2704 bytes. */
  public static final int MAX_BYTES = 2000;

  public Key {
    int bytes =
        Limits.text("tenant", tenant, 1, MAX_TENANT_CHARS)
            + Limits.text("scope", scope, 1, MAX_SCOPE_CHARS)
            + Limits.text("key", value, 1, MAX_VALUE_CHARS);
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "tenant, scope and key must take at most " + MAX_BYTES + " bytes, got " + bytes);
    }
  }

  /** Shows tenant, scope and a short hash of the value, so that no log contains the raw key. */
  @Override
  public String toString() {
    return tenant + "/" + scope + "/#" + shortHash();
  }

  /**
   * Twelve hexadecimal digits that stand for the value in logs, metrics and traces: enough to find
   * a key again, too few to reveal it.
   */
  public String shortHash() {
    byte[] hash = Fingerprint.newSha256().digest(value.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, 6);
  }
}
