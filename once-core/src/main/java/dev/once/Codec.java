package dev.once;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts an effect's value to the outcome that is stored, and back. Records outlive deployments,
 * so a codec has to read what its earlier versions wrote. Implementations are thread-safe.
 */
public interface Codec<T extends @Nullable Object> {
  Outcome encode(T value);

  /** Never called for a dropped payload: the engine answers {@link Result.Dropped} itself. */
  T decode(Outcome outcome);

  /**
   * Text as UTF-8. Null and the empty text are two different values. An unpaired surrogate, which
   * is not text, is decoded as a question mark.
   */
  static Codec<@Nullable String> text() {
    return of(
        text -> text.getBytes(StandardCharsets.UTF_8),
        bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Bytes as they are. Null and zero bytes are two different values. */
  static Codec<byte @Nullable []> bytes() {
    return of(byte[]::clone, byte[]::clone);
  }

  /** For effects that have no value: they return null. */
  static Codec<@Nullable Void> nothing() {
    return of(
        none -> new byte[0],
        bytes -> {
          throw new IllegalStateException("a record of nothing holds " + bytes.length + " bytes");
        });
  }

  /** A codec from two functions that never get null: null is stored as no payload. */
  static <T> Codec<@Nullable T> of(Function<T, byte[]> write, Function<byte[], T> read) {
    return new NullableCodec<>(write, read);
  }
}
