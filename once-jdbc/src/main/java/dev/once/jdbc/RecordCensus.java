package dev.once.jdbc;

/**
 * How many records the table has.
 *
 * @param entries all of them: of a small table, or one without an estimate, counted up to {@link
 *     #MAX_COUNT}; beyond that as the database estimates it
 * @param stale those that are expired and not yet purged, counted up to {@link #MAX_COUNT}
 */
public record RecordCensus(long entries, int stale) {
  /** Counting stops here: a purge with this many records left is behind in any case. */
  public static final int MAX_COUNT = 10_000;

  RecordCensus plus(RecordCensus other) {
    return new RecordCensus(entries + other.entries, Math.min(stale + other.stale, MAX_COUNT));
  }
}
