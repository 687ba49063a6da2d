package dev.once.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;

/**
 * An outcome in Redis. All of it is written as one payload, so that sealing covers the fingerprint
 * too: a sealed outcome cannot be replayed to another request.
 *
 * <pre>
 * form (1), deadline (8), fingerprint, correlation ids, status (2), headers, payload
 * texts:    length (4), UTF-8
 * payload:  0 | 1, size (8) | 2, the bytes that are left
 * </pre>
 *
 * @param deadline by the clock of the node that wrote it; Redis expires it too, but counts from
 *     when it received it, which may be late
 */
record RedisEntry(Fingerprint fingerprint, Claim.Replay replay, Instant deadline) {
  private static final byte FORM = 1;
  private static final byte NO_PAYLOAD = 0;
  private static final byte DROPPED = 1;
  private static final byte BYTES = 2;
  private static final int FIXED_BYTES = 1 + Long.BYTES + 3 * Integer.BYTES + Short.BYTES + 9;

  byte[] toBytes() {
    Outcome outcome = replay.outcome();
    byte[] asked = fingerprint.toString().getBytes(UTF_8);
    byte[] correlation = replay.correlation().toText().getBytes(UTF_8);
    byte[] headers = outcome.headers().toText().getBytes(UTF_8);
    byte[] payload = outcome.payload() instanceof Payload.Bytes it ? it.toArray() : new byte[0];
    ByteBuffer out =
        ByteBuffer.allocate(
            FIXED_BYTES + asked.length + correlation.length + headers.length + payload.length);
    out.put(FORM).putLong(deadline.toEpochMilli());
    put(out, asked);
    put(out, correlation);
    out.putShort((short) outcome.status());
    put(out, headers);
    if (outcome.payload() instanceof Payload.Dropped it) {
      out.put(DROPPED).putLong(it.size());
    } else {
      out.put(outcome.payload() instanceof Payload.Bytes ? BYTES : NO_PAYLOAD).put(payload);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  /**
   * Reads an entry that {@link #toBytes} wrote.
   *
   * @throws RuntimeException if {@code bytes} are no such entry
   */
  static RedisEntry parse(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.get() != FORM) {
      throw new IllegalArgumentException("another release has written this");
    }
    Instant deadline = Instant.ofEpochMilli(in.getLong());
    Fingerprint fingerprint = Fingerprint.parse(text(in));
    Headers correlation = Headers.parse(text(in));
    int status = in.getShort();
    Headers headers = Headers.parse(text(in));
    Outcome outcome = new Outcome(false, status, headers, payload(in));
    return new RedisEntry(fingerprint, new Claim.Replay(outcome, correlation), deadline);
  }

  private static Payload payload(ByteBuffer in) {
    byte kind = in.get();
    return switch (kind) {
      case NO_PAYLOAD -> Payload.NONE;
      case DROPPED -> new Payload.Dropped(in.getLong());
      case BYTES -> Payload.of(next(in, in.remaining()));
      default -> throw new IllegalArgumentException("there is no payload of kind " + kind);
    };
  }

  private static void put(ByteBuffer out, byte[] text) {
    out.putInt(text.length).put(text);
  }

  private static String text(ByteBuffer in) {
    return new String(next(in, in.getInt()), UTF_8);
  }

  private static byte[] next(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a length of " + length + " is beyond the end");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
