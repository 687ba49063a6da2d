package dev.once.workflow;

import dev.once.Codec;
import dev.once.internal.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A kind of signal: what runs wait for and others send. A value is never null. Immutable, so it can
 * be a constant.
 */
public final class SignalType<T> {
  public static final int MAX_NAME_CHARS = 128;

  private final String name;
  private final Codec<@Nullable T> codec;

  private SignalType(String name, Codec<@Nullable T> codec) {
    Limits.text("signal", name, 1, MAX_NAME_CHARS);
    this.name = name;
    this.codec = codec;
  }

  public static <T> SignalType<T> of(String name, Codec<@Nullable T> codec) {
    return new SignalType<>(name, codec);
  }

  public String name() {
    return name;
  }

  public Codec<@Nullable T> codec() {
    return codec;
  }
}
