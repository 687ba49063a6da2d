package dev.once.events;

import java.time.Duration;

/** How long a relay waits before its next step. */
final class RelayPauses {
  /** The pause after which the log is read again; it doubles while there is nothing new. */
  private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(1);

  private static final Duration MAX_POLL_INTERVAL = Duration.ofMillis(20);

  /** The same for a log that is kept as objects: each read costs several requests. */
  private static final Duration MIN_OBJECT_POLL_INTERVAL = Duration.ofMillis(5);

  private static final Duration MAX_OBJECT_POLL_INTERVAL = Duration.ofMillis(100);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration MAX_RETRY = Duration.ofSeconds(5);
  private static final int MAX_DOUBLINGS = 10;

  private final Duration minPoll;
  private final Duration maxPoll;
  private final Duration standby;

  /**
   * @param isOfObjects whether the log is kept as objects
   */
  RelayPauses(boolean isOfObjects, Duration lease) {
    this.minPoll = isOfObjects ? MIN_OBJECT_POLL_INTERVAL : MIN_POLL_INTERVAL;
    this.maxPoll = isOfObjects ? MAX_OBJECT_POLL_INTERVAL : MAX_POLL_INTERVAL;
    this.standby = shorter(lease.dividedBy(4), MAX_RETRY);
  }

  /**
   * Returns the pause after a step.
   *
   * @param repetitions how many steps before it ended in the same way
   */
  Duration after(Relay.Step step, int repetitions) {
    return switch (step) {
      case PUBLISHED -> Duration.ZERO;
      case IDLE -> shorter(doubled(minPoll, repetitions), maxPoll);
      case STANDBY -> standby;
      case FAILED -> shorter(doubled(FIRST_RETRY, repetitions), MAX_RETRY);
    };
  }

  private static Duration doubled(Duration pause, int times) {
    return pause.multipliedBy(1L << Math.min(times, MAX_DOUBLINGS));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
