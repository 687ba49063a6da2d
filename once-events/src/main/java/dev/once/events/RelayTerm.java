package dev.once.events;

import java.time.Duration;

/** The time during which a process has the lease of a relay. Used by one thread. */
final class RelayTerm {
  private static final Duration LOOKBACK_INTERVAL = Duration.ofSeconds(5);

  final long fence;
  final RecentIds recent;

  /** All events up to here were published. */
  String position;

  boolean mustTakeOver = true;
  long renewedNanos;
  private String savedPosition;
  private long savedNanos;
  private long lookedBackNanos;

  /**
   * @param acquiredNanos the moment before the lease was asked for
   */
  RelayTerm(long fence, String position, RecentIds recent, long acquiredNanos) {
    this.fence = fence;
    this.position = position;
    this.savedPosition = position;
    this.recent = recent;
    this.renewedNanos = acquiredNanos;
    this.savedNanos = acquiredNanos;
    this.lookedBackNanos = acquiredNanos;
  }

  /** Returns whether an idle log should be searched for late events, which costs requests. */
  boolean isTimeToLookBack(long now) {
    boolean isTime = now - lookedBackNanos >= LOOKBACK_INTERVAL.toNanos();
    lookedBackNanos = isTime ? now : lookedBackNanos;
    return isTime;
  }

  /** Returns whether a later process would publish events again if this one crashed now. */
  boolean hasUnsaved() {
    return !position.equals(savedPosition);
  }

  boolean isTimeToSave(long now, Duration interval) {
    return hasUnsaved() && now - savedNanos >= interval.toNanos();
  }

  /** The position was saved. */
  void saved(long now) {
    savedPosition = position;
    savedNanos = now;
  }
}
