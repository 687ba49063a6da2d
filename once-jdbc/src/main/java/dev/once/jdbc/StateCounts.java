package dev.once.jdbc;

import dev.once.spi.State;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How many records are in each state, among those that were read.
 *
 * @param counts a number for every state
 * @param expired records that wait for the purge
 * @param isComplete whether all records were read; if not, there are more than counted
 * @param oldestUnfinished how long ago the oldest record that is in progress or uncertain was first
 *     claimed, by the store's clock
 */
public record StateCounts(
    Map<State, Long> counts,
    long expired,
    boolean isComplete,
    Optional<Duration> oldestUnfinished) {
  /** The most records that one count reads. */
  public static final int MAX_ROWS = 10_000_000;

  public StateCounts {
    counts = Map.copyOf(counts);
  }

  /** Returns how many records were read. */
  public long rows() {
    return expired + counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
