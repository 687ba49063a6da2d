package dev.once.events;

import dev.once.internal.Limits;
import java.time.Duration;

/**
 * Which events of an aggregate a handler accepts, by their sequence. In every case an event whose
 * sequence is not higher than the last one is ignored, unless an operator redrives it.
 */
public final class SequenceRule {
  public static final Duration MAX_WAIT = Duration.ofHours(24);

  /** Every higher sequence is accepted: an event that comes after a later one is ignored. */
  public static final SequenceRule HIGHER = new SequenceRule(false, Duration.ZERO, Missing.ACCEPT);

  /** What happens with an event whose predecessor does not come. */
  public enum Missing {
    /** The event is handled, and its predecessor is ignored if it comes later. */
    ACCEPT,
    /** The event is given up, as after its last attempt. */
    GIVE_UP
  }

  private final boolean needsEvery;
  private final Duration maxWait;
  private final Missing missing;

  private SequenceRule(boolean needsEvery, Duration maxWait, Missing missing) {
    this.needsEvery = needsEvery;
    this.maxWait = maxWait;
    this.missing = missing;
  }

  /**
   * An event waits for the one before it, for effects that need every event. A number may be
   * missing where an append was abandoned, so that the wait has a limit. It is measured by the
   * consumer from when it first sees the gap.
   */
  public static SequenceRule every(Duration maxWait, Missing missing) {
    Limits.range("longest wait for an event", maxWait, Duration.ZERO, MAX_WAIT);
    return new SequenceRule(true, maxWait, missing);
  }

  boolean needsEvery() {
    return needsEvery;
  }

  Duration maxWait() {
    return maxWait;
  }

  Missing missing() {
    return missing;
  }
}
