package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What remains after the chaos, and what must be true of it. */
record ChaosHistory(JobDatabase database, ChaosWorld world) {
  /** The prefix of aggregates in which the first job is doomed and blocks the others. */
  static final String PARKED = "parked-";

  /** Every committed job is in one of these. */
  private static final String JOBS =
      """
      WITH expected AS (
        SELECT key, type, coalesce(aggregate LIKE 'parked-%', false) AS parked FROM business
        UNION ALL
        SELECT replace(key, ':parent:', ':child:'), 'child', false FROM business
        WHERE type = 'parent'),
      dead AS (SELECT key FROM expected WHERE type LIKE 'doomed%'),
      blocked AS (SELECT key FROM expected WHERE type = 'step' AND parked),
      finished AS (
        SELECT key FROM expected WHERE type NOT LIKE 'doomed%' AND NOT (type = 'step' AND parked)),
      done AS (SELECT 'job:' || tenant || ':' || queue || ':' || key AS key FROM once_job_done),
      remaining AS (
        SELECT 'job:' || tenant || ':' || queue || ':' || key AS key, state FROM once_job)
      """;

  void prepare() {
    database.execute(
        """
        CREATE TABLE business (
          key text, type text, aggregate text, job bigint, not_before timestamptz);
        CREATE TABLE effect (
          place bigserial, key text, job bigint, fence bigint,
          at timestamptz DEFAULT clock_timestamp());
        CREATE TABLE chaos_end (is_over boolean);
        INSERT INTO chaos_end VALUES (false)
        """);
    world.prepare();
  }

  /** Lets no caller in a worker's process begin another transaction, and waits for the last one. */
  void endCalls() {
    database.execute("UPDATE chaos_end SET is_over = true");
  }

  /** Jobs that are neither finished nor dead nor blocked for good, by type and state. */
  List<String> unfinished() {
    return database.query(
        """
        SELECT concat_ws(' ', type, state, count(*)) FROM once_job
        WHERE state <> 'dead' AND NOT (state = 'blocked' AND aggregate LIKE 'parked-%')
        GROUP BY type, state
        """);
  }

  int jobs() {
    return number("SELECT count(*) FROM business");
  }

  /** The number of attempts that did not complete their job. */
  int reruns() {
    return number("SELECT sum(attempt - 1) FROM once_job_done");
  }

  void check() {
    same("finished", "SELECT key FROM finished", "SELECT key FROM done");
    same("dead", "SELECT key FROM dead", "SELECT key FROM remaining WHERE state = 'dead'");
    same("blocked", "SELECT key FROM blocked", "SELECT key FROM remaining WHERE state = 'blocked'");
    none("remaining", "SELECT key FROM remaining WHERE state NOT IN ('dead', 'blocked')");
    same(
        "effects",
        "SELECT key FROM finished WHERE key NOT LIKE '%:engine:%'",
        "SELECT key FROM effect");
    none(
        "effects out of order",
        """
        SELECT a.key FROM
          (SELECT e.key, e.job, lag(e.job) OVER (PARTITION BY b.aggregate, split_part(b.key, ':', 2)
             ORDER BY e.place) AS before
           FROM effect e JOIN business b USING (key) WHERE b.aggregate IS NOT NULL) a
        WHERE a.before > a.job
        """);
    none(
        "effects too early",
        "SELECT e.key FROM effect e JOIN business b USING (key) WHERE e.at < b.not_before");
    world.check(database);
  }

  private void same(String what, String expected, String found) {
    none(what + ", lost", expected + " EXCEPT ALL " + found);
    none(what + ", too many", found + " EXCEPT ALL " + expected);
  }

  private void none(String what, String sql) {
    assertThat(database.query(JOBS + sql)).as(what).isEmpty();
  }

  private int number(String sql) {
    return Integer.parseInt(database.query(sql).get(0));
  }
}
