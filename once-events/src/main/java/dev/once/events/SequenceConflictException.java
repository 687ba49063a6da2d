package dev.once.events;

import dev.once.OnceException;

/** Nothing was appended, because the aggregate is not at the sequence that the caller expects. */
public final class SequenceConflictException extends OnceException {
  private static final long serialVersionUID = 1L;

  private final long expected;
  private final long actual;

  public SequenceConflictException(Aggregate aggregate, long expected, long actual) {
    super(
        "%s is at sequence %d, not %d: read it again and decide anew"
            .formatted(aggregate, actual, expected),
        null);
    this.expected = expected;
    this.actual = actual;
  }

  public long expected() {
    return expected;
  }

  /** Returns the aggregate's last sequence. */
  public long actual() {
    return actual;
  }
}
