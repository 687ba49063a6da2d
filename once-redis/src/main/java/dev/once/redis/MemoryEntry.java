package dev.once.redis;

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
 * What memory has under a key: an outcome, or that there must be none.
 *
 * @param fingerprint who may have it
 * @param replay the outcome, null if it was forgotten
 * @param life how long this is kept
 * @param sinceNanos when that began, which is before it came here
 */
record MemoryEntry(
    Fingerprint fingerprint, Claim.@Nullable Replay replay, Duration life, long sinceNanos) {
  /** Objects around the bytes of an entry, as a heap of 64 bits with compressed pointers has it. */
  private static final int ENTRY_BYTES = 640;

  private static final int HEADER_BYTES = 160;

  /** An outcome, in bytes of its own: whoever made it may change theirs. */
  static MemoryEntry of(Fingerprint fingerprint, Claim.Replay replay, Duration life, long sinceNanos) {
    return new MemoryEntry(fingerprint, copyOf(replay), life, sinceNanos);
  }

  static MemoryEntry forgotten(Duration life) {
    return new MemoryEntry(Fingerprint.NONE, null, life, 0);
  }

  boolean isForgotten() {
    return replay == null;
  }

  /** The outcome, in bytes that whoever gets them may change. */
  Optional<Claim.Replay> replayTo(Fingerprint asking, long nowNanos) {
    return replay != null
            && nowNanos - sinceNanos < life.toNanos()
            && Fingerprints.equal(fingerprint, asking)
        ? Optional.of(copyOf(replay))
        : Optional.empty();
  }

  /** How much memory this takes under {@code key}, rather more than less. */
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
