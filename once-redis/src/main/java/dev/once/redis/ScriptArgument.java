package dev.once.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Encodes the argument of a script, as its file describes it. Everything is packed into one
 * argument, because each argument costs Redis about as much as reading the record does.
 */
final class ScriptArgument {
  static final byte[] NONE = {};

  /** Lease, retention, length of the TTL, most attempts, reconciling; recovery, lengths, token. */
  private static final int CLAIM_BYTES = 8 + 8 + 1 + 4 + 1 + 1 + 1 + 4 + 8;

  /** Fence, retention, state, length of the TTL. */
  private static final int COMPLETION_BYTES = 8 + 8 + 1 + 1;

  private ScriptArgument() {}

  static byte[] claim(ClaimRequest request) {
    byte[] ttl = ttl(request.lease().plus(request.retention()));
    byte[] fingerprint = request.fingerprint().toString().getBytes(US_ASCII);
    byte[] correlation = request.correlation().toText().getBytes(UTF_8);
    return ByteBuffer.allocate(CLAIM_BYTES + ttl.length + fingerprint.length + correlation.length)
        .putLong(micros(request.lease()))
        .putLong(micros(request.retention()))
        .put((byte) ttl.length)
        .put(ttl)
        .putInt(request.maxAttempts())
        .put((byte) (request.reconciling() ? 1 : 0))
        .put((byte) RecordBytes.RECOVERIES.indexOf(request.recovery()))
        .put((byte) fingerprint.length)
        .putInt(correlation.length)
        .putLong(request.token())
        .put(fingerprint)
        .put(correlation)
        .array();
  }

  static byte[] completion(
      Claim.Granted grant, boolean failed, byte[] outcome, Duration retention) {
    byte[] ttl = ttl(retention);
    return ByteBuffer.allocate(COMPLETION_BYTES + ttl.length + outcome.length)
        .putLong(grant.fence())
        .putLong(micros(retention))
        .put((byte) (failed ? 3 : 2))
        .put((byte) ttl.length)
        .put(ttl)
        .put(outcome)
        .array();
  }

  static byte[] renewal(Claim.Granted grant, Duration lease) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(grant.fence())
        .putLong(micros(lease))
        .array();
  }

  static byte[] fence(Claim.Granted grant) {
    return Long.toString(grant.fence()).getBytes(US_ASCII);
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  /**
   * Returns the TTL in milliseconds, rounded up, and two more: Redis counts from the whole
   * millisecond that it was called in, or the one before.
   */
  private static byte[] ttl(Duration time) {
    return Long.toString(time.toMillis() + 3).getBytes(US_ASCII);
  }
}
