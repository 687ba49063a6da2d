package dev.once.testkit;

import dev.once.Key;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The values that effects of a campaign return: bytes that contain the fence they were made under.
 */
final class ChaosPayload {
  static final int MIN_BYTES = 2 * Long.BYTES;

  private ChaosPayload() {}

  /** The value of the effect of {@code key} under {@code fence}: noise, the same each time. */
  static byte[] of(Key key, long fence, int bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.max(MIN_BYTES, bytes));
    long noise = fence ^ key.hashCode();
    buffer.putLong(fence);
    while (buffer.remaining() >= Long.BYTES) {
      noise ^= noise << 13;
      noise ^= noise >>> 7;
      noise ^= noise << 17;
      buffer.putLong(noise);
    }
    return buffer.array();
  }

  static long fenceOf(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  /** Whether every byte is that of the effect. */
  static boolean isWhole(Key key, byte[] value) {
    return value.length >= MIN_BYTES && Arrays.equals(value, of(key, fenceOf(value), value.length));
  }
}
