package dev.once;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps null as {@link Payload#NONE} and everything else as what {@code write} makes of it. */
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
