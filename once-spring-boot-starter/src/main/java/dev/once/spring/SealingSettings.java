package dev.once.spring;

import dev.once.KeyRing;
import dev.once.Sealing;
import java.util.Base64;
import java.util.Map;

/** Reads keys from the settings, and never shows them in a message. */
final class SealingSettings {
  private static final String ACTION =
      "Set once.sealing.keys.<id> to 32 random bytes in base64, such as openssl rand -base64 32"
          + " prints, and once.sealing.current to the id of the newest key.";

  private SealingSettings() {}

  static Sealing of(OnceProperties.Sealed settings) {
    Map<String, String> keys = settings.keys();
    String current = settings.current();
    if (current == null) {
      if (keys.isEmpty()) {
        return Sealing.NONE;
      }
      throw new MisconfiguredException(
          "there are keys in once.sealing.keys, but once.sealing.current does not say which of"
              + " them encrypts.",
          ACTION);
    }
    if (!keys.containsKey(current)) {
      throw new MisconfiguredException(
          "once.sealing.current is %s, but once.sealing.keys has only %s."
              .formatted(current, keys.keySet()),
          ACTION);
    }
    return Sealing.with(ring(current, keys));
  }

  private static KeyRing ring(String current, Map<String, String> keys) {
    try {
      KeyRing ring = KeyRing.of(current, bytes(current, keys.getOrDefault(current, "")));
      for (Map.Entry<String, String> key : keys.entrySet()) {
        if (!key.getKey().equals(current)) {
          ring = ring.and(key.getKey(), bytes(key.getKey(), key.getValue()));
        }
      }
      return ring;
    } catch (IllegalArgumentException e) { // Names the id and the length, not the key.
      throw new MisconfiguredException("once.sealing.keys: " + e.getMessage() + ".", ACTION);
    }
  }

  private static byte[] bytes(String id, String base64) {
    try {
      return Base64.getDecoder().decode(base64.strip());
    } catch (IllegalArgumentException e) { // Its message quotes the key.
      throw new MisconfiguredException("once.sealing.keys.%s is no base64.".formatted(id), ACTION);
    }
  }
}
