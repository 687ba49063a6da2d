package dev.once;

import dev.once.internal.Limits;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that seal outcomes: the current key, which seals and opens, and older keys, which only
 * open. Each key has an id, which is stored in the clear beside what the key sealed. Immutable.
 *
 * <p>An id belongs to one key for ever. To rotate, make a {@code KeyRing} with a new id, add the
 * old keys to it, and keep each of those until the last record that it sealed has expired.
 */
public final class KeyRing {
  public static final int KEY_BYTES = 32;
  public static final int MAX_ID_CHARS = 32;

  /** Keys are needed as long as their records: 64 keys, rotated weekly, last more than a year. */
  public static final int MAX_KEYS = 64;

  private final String current;
  private final Map<String, SecretKey> keys;

  private KeyRing(String current, Map<String, SecretKey> keys) {
    this.current = current;
    this.keys = keys;
  }

  /**
   * Makes a key ring with one key.
   *
   * @param id 1 to 32 visible ASCII characters
   * @param key 32 bytes from a good source of randomness, which are copied
   */
  public static KeyRing of(String id, byte[] key) {
    return new KeyRing(id, Map.of(checked(id), secret(id, key)));
  }

  /** Returns this key ring with one more key, which only opens what it sealed before. */
  public KeyRing and(String id, byte[] key) {
    if (keys.containsKey(checked(id))) {
      throw new IllegalArgumentException("key id " + id + " is in the ring already");
    }
    Limits.range("number of keys", keys.size() + 1, 1, MAX_KEYS);
    Map<String, SecretKey> more = new LinkedHashMap<>(keys);
    more.put(id, secret(id, key));
    return new KeyRing(current, Collections.unmodifiableMap(more));
  }

  /** The id of the key that seals. */
  public String current() {
    return current;
  }

  /** The ids of all keys, the current one among them. */
  public Set<String> ids() {
    return keys.keySet();
  }

  /** The key with this id, for code that seals or opens. */
  public Optional<SecretKey> key(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  /** Shows ids alone. */
  @Override
  public String toString() {
    return "KeyRing[current=" + current + ", ids=" + ids() + "]";
  }

  private static String checked(String id) {
    Limits.length("key id", id, 1, MAX_ID_CHARS);
    if (!id.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException("key id must be visible ASCII");
    }
    return id;
  }

  private static SecretKey secret(String id, byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key %s must have %d bytes, got %d".formatted(id, KEY_BYTES, key.length));
    }
    return new SecretKeySpec(key, "AES");
  }
}
