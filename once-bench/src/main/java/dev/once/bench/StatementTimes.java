package dev.once.bench;

/** The time that PostgreSQL spends on each kind of statement, by pg_stat_statements. */
record StatementTimes(BenchDatabase database) {
  /** A statement is named by what it writes, or else by the function of Once that it calls. */
  private static final String MOST_COSTLY =
      """
      SELECT string_agg(what || ' ' || micros || ' (' || calls || ' calls)', ', ' ORDER BY micros DESC)
      FROM (
        SELECT coalesce(
            regexp_substr(query, '(INSERT INTO|UPDATE|DELETE FROM) \\w+'),
            regexp_substr(query, 'once_\\w+'), regexp_substr(query, '\\w+')) AS what,
          round((sum(total_exec_time) * 1000 / ?)::numeric, 1) AS micros,
          round(sum(calls) / ?, 3) AS calls
        FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        GROUP BY what
        ORDER BY micros DESC
        LIMIT 5) times
      """;

  void enable() {
    database.execute("CREATE EXTENSION pg_stat_statements");
  }

  void reset() {
    database.execute("SELECT pg_stat_statements_reset()");
  }

  /** Returns the microseconds per job of the statements that took most of them. */
  String perJob(long jobs) {
    return "server µs/job: " + database.value(MOST_COSTLY, jobs, jobs);
  }
}
