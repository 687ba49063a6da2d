package dev.once;

import java.util.Arrays;

/**
 * The bytes of an outcome. No payload, a payload without bytes and a payload too large to keep are
 * three different cases, and each is replayed as such.
 */
public sealed interface Payload {
  /** There is no payload: the effect returned null or nothing. */
  Payload NONE = new None();

  /** The payload that holds {@code bytes}, which are shared, not copied: do not change them. */
  static Bytes of(byte[] bytes) {
    return new Bytes(bytes);
  }

  /** Returns how many bytes the effect returned, whether they were kept or not. */
  long size();

  /** There is no payload. */
  record None() implements Payload {
    @Override
    public long size() {
      return 0;
    }
  }

  /**
   * The effect returned more than its record may keep. It happened; its answer was not kept.
   *
   * @param size how many bytes the answer had
   */
  record Dropped(long size) implements Payload {}

  /** Some bytes, possibly zero of them. */
  final class Bytes implements Payload {
    private final byte[] bytes;

    private Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    /** The bytes themselves, shared, not copied: do not change them. */
    public byte[] toArray() {
      return bytes;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    /** Shows the size alone: payloads stay out of logs. */
    @Override
    public String toString() {
      return "Bytes[" + bytes.length + "]";
    }
  }
}
