package dev.once.cache;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry in memory: an outcome, or the mark that none may be cached.
 *
 * @param fingerprint of the requests that the outcome is replayed to
 * @param replay the outcome, null if it was forgotten
 * @param life how long this is cached
 * @param sinceNanos when its life began, measured before the rest of the retention
 */
record MemoryEntry(
    Fingerprint fingerprint, Claim.@Nullable Replay replay, Duration life, long sinceNanos) {
  /** The objects around the bytes of an entry, on a 64-bit heap with compressed pointers. */
  private static final int ENTRY_BYTES = 640;

  private static final int HEADER_BYTES = 160;

  /** Creates an entry with a copy of the outcome, since the caller may change its own bytes. */
  static MemoryEntry of(
      Fingerprint fingerprint, Claim.Replay replay, Duration life, long sinceNanos) {
    return new MemoryEntry(fingerprint, copyOf(replay), life, sinceNanos);
  }

  static MemoryEntry forgotten(Duration life) {
    return new MemoryEntry(Fingerprint.NONE, null, life, 0);
  }

  boolean isForgotten() {
    return replay == null;
  }

  /** Returns a copy of the outcome, since the caller may change its bytes. */
  Optional<Claim.Replay> replayTo(Fingerprint asking, long nowNanos) {
    return replay != null && nowNanos - sinceNanos < life.toNanos() && fingerprint.matches(asking)
        ? Optional.of(copyOf(replay))
        : Optional.empty();
  }

  /** Estimates how much memory this takes under {@code key}, rather too much than too little. */
  long bytes(Key key) {
    int chars = key.tenant().length() + key.scope().length() + key.value().length();
    long bytes = ENTRY_BYTES + 2L * chars;
    if (replay == null) {
      return bytes;
    }
    Outcome outcome = replay.outcome();
    return bytes
        + bytesOf(outcome.headers())
        + bytesOf(replay.correlation())
        + (outcome.payload() instanceof Payload.Bytes it ? it.toArray().length : 0);
  }

  private static long bytesOf(Headers headers) {
    long bytes = 0;
    for (Headers.Header header : headers.list()) {
      bytes += HEADER_BYTES + 2L * (header.name().length() + header.value().length());
    }
    return bytes;
  }

  private static Claim.Replay copyOf(Claim.Replay replay) {
    Outcome outcome = replay.outcome();
    if (!(outcome.payload() instanceof Payload.Bytes it)) {
      return replay;
    }
    Payload copy = Payload.of(it.toArray().clone());
    return new Claim.Replay(
        new Outcome(outcome.failed(), outcome.status(), outcome.headers(), copy),
        replay.correlation());
  }
}
