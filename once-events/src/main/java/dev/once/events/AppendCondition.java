package dev.once.events;

import dev.once.internal.Limits;
import java.util.OptionalLong;

/** Which sequence an event may have. */
public final class AppendCondition {
  /** The next sequence, whatever it is. */
  public static final AppendCondition ANY =
      new AppendCondition(OptionalLong.empty(), OptionalLong.empty());

  private final OptionalLong expected;
  private final OptionalLong given;

  private AppendCondition(OptionalLong expected, OptionalLong given) {
    this.expected = expected;
    this.given = given;
  }

  /**
   * Requires that the aggregate's last sequence is {@code sequence}: the caller has seen everything
   * up to it. 0 means that the aggregate must be new.
   */
  public static AppendCondition expecting(long sequence) {
    Limits.range("expected sequence", sequence, 0, Long.MAX_VALUE - 1);
    return new AppendCondition(OptionalLong.of(sequence), OptionalLong.empty());
  }

  /** Gives the event this sequence, for callers that number events themselves. */
  public static AppendCondition at(long sequence) {
    Limits.range("sequence", sequence, 1, Long.MAX_VALUE);
    return new AppendCondition(OptionalLong.empty(), OptionalLong.of(sequence));
  }

  public OptionalLong expected() {
    return expected;
  }

  public OptionalLong given() {
    return given;
  }
}
