package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The world outside the database, in which no effect can be undone. It is a database too, but no
 * transaction of a job ever reaches it.
 */
record ChaosWorld(JobDatabase database) {
  /** A call with this fence; {@code held} if it held its lease, otherwise it was too late. */
  private record Call(String key, long fence, double at, boolean held) {}

  void prepare() {
    database.execute(
        """
        CREATE TABLE call (
          place bigserial, key text, what text, fence bigint,
          at timestamptz DEFAULT clock_timestamp())
        """);
  }

  /** The number of calls by runs that had lost their lease. */
  long late() {
    return calls().stream().filter(call -> !call.held()).count();
  }

  void check(JobDatabase jobs) {
    Map<String, Double> completed = completed(jobs);
    Map<String, Long> newest = new HashMap<>();
    for (Call call : calls()) {
      long before = newest.getOrDefault(call.key(), 0L);
      if (call.held()) {
        assertThat(call.fence()).as("fence of %s", call).isGreaterThan(before);
        assertThat(call.at())
            .as("time of %s", call)
            .isLessThan(completed.getOrDefault(call.key(), 0.0));
      }
      newest.put(call.key(), Math.max(before, call.fence()));
    }
    assertThat(database.query("SELECT DISTINCT key FROM call WHERE what = 'done'"))
        .as("done at least once")
        .containsExactlyInAnyOrderElementsOf(completed.keySet());
    assertThat(database.query("SELECT key FROM call GROUP BY key, fence, what HAVING count(*) > 1"))
        .as("done twice with one fence")
        .isEmpty();
    assertThat(database.query("SELECT key FROM call WHERE key LIKE '%:gone-%'"))
        .as("done though rolled back")
        .isEmpty();
  }

  /** Returns the calls in the order of their arrival. */
  private List<Call> calls() {
    return database
        .query(
            """
            SELECT concat_ws(' ', key, fence, extract(epoch FROM at), EXISTS (
              SELECT 1 FROM call h WHERE h.key = c.key AND h.fence = c.fence AND h.what = 'held'))
            FROM call c WHERE what = 'begun' ORDER BY place
            """)
        .stream()
        .map(row -> row.split(" ", -1))
        .map(
            it ->
                new Call(
                    it[0], Long.parseLong(it[1]), Double.parseDouble(it[2]), it[3].equals("t")))
        .toList();
  }

  /** Returns the time at which the engine recorded each effect. */
  private static Map<String, Double> completed(JobDatabase jobs) {
    Map<String, Double> times = new HashMap<>();
    jobs
        .query(
            """
            SELECT 'job:' || tenant || ':' || substr(scope, 5) || ':' || key || ' '
              || extract(epoch FROM expires_at - interval '24 hours')
            FROM once_record WHERE state = 'completed'
            """)
        .stream()
        .map(row -> row.split(" ", -1))
        .forEach(it -> times.put(it[0], Double.parseDouble(it[1])));
    return times;
  }
}
