package dev.once.events;

import java.util.List;

/** Runs effects of claimed events. Thread-safe. */
interface EventEffectRunner {
  /**
   * Runs the effects of several aggregates, and settles all of their events.
   *
   * @param batch the claimed events of each aggregate, in their order
   */
  void run(List<List<EventLease>> batch);

  /** Returns how many events {@link #run} may get, if there is more than one aggregate. */
  int batchSize();
}
