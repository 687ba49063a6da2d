package dev.once.effects;

import dev.once.Fingerprint;
import java.util.regex.Pattern;

/**
 * The idempotency key of an event: its id. An id that APIs do not accept as a key, because it is
 * too long or has characters that a header cannot have, is replaced by its digest.
 */
final class EventKey {
  private static final String DIGEST = "sha256-";

  /** Without the characters that are special inside quotes or separate the values of a header. */
  private static final Pattern PLAIN = Pattern.compile("[!-~&&[^\",\\\\]]{1,128}");

  private EventKey() {}

  static String of(String eventId) {
    // An id that looks like a digest is replaced too, so that no two ids have the same key.
    return PLAIN.matcher(eventId).matches() && !eventId.startsWith(DIGEST)
        ? eventId
        : DIGEST + Fingerprint.sha256(eventId).digest();
  }
}
