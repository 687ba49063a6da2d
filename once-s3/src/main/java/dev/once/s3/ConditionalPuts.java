package dev.once.s3;

import dev.once.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Finds out whether the storage honours the conditions of puts. Some storage ignores them, and then
 * answers every put with success.
 */
record ConditionalPuts(S3Objects objects, boolean required) {
  private static final String WHAT = "checking conditional puts";
  private static final byte[] PROBE = "{}".getBytes(StandardCharsets.UTF_8);

  /** Writes an object, and then tries to write it again under conditions that do not hold. */
  void check() {
    String name = "checks/" + UUID.randomUUID() + ".json";
    objects.put(WHAT, name, PROBE);
    try {
      if (required) {
        require("If-None-Match", objects.putIfAbsent(WHAT, name, PROBE));
        require("If-Match", objects.replace(WHAT, name, PROBE, "\"other\""));
      }
    } finally {
      objects.delete(WHAT, name);
    }
  }

  private static void require(String header, boolean written) {
    if (written) {
      throw new StoreException(
          "the storage ignores "
              + header
              + ": use one that honours it, or accept it by withoutConditionalPuts",
          null);
    }
  }
}
