package dev.once.bench;

/**
 * The same work with large tables and with small ones, in alternating rounds on one server.
 *
 * @param <T> the tables
 */
record LargeAgainstSmall<T extends LargeAgainstSmall.Tables>(Session session, T large, T small) {
  static final int SMALL_ROWS = 10_000;

  /** The least throughput with large tables, as a share of that with small ones. */
  private static final double THROUGHPUT = 0.77;

  /** With more callers the wait for connections would dominate, not the tables. */
  static final int MAX_CALLERS = 16;

  interface Tables {
    BenchDatabase database();

    String name();
  }

  SpeedTable.Contest contest(String work, int callers, Session.Action<T> calls) {
    return new SpeedTable.Contest(
        work, THROUGHPUT, series(large, callers, calls), series(small, callers, calls));
  }

  Series series(T tables, int callers, Session.Action<T> work) {
    return session.series(
        tables.name(), callers, tables.database().clocks(), () -> work.perform(tables));
  }
}
