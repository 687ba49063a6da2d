package dev.once;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores null as {@link Payload#NONE} and any other value as the bytes that {@code write} returns.
 */
record NullableCodec<T>(Function<T, byte[]> write, Function<byte[], T> read)
    implements Codec<@Nullable T> {
  @Override
  public Outcome encode(@Nullable T value) {
    return Outcome.completed(value == null ? Payload.NONE : Payload.of(write.apply(value)));
  }

  @Override
  public @Nullable T decode(Outcome outcome) {
    return outcome.payload() instanceof Payload.Bytes it ? read.apply(it.toArray()) : null;
  }
}
