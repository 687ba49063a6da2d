package dev.once.jobs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts jobs in the index of each state, in the order of the index, up to a limit. Ready jobs are
 * counted per queue, so that a queue with a million jobs does not hide the others.
 */
final class CensusStatement {
  static final String SQL =
      """
      %2$s
      SELECT q.queue, 'ready' AS state, r.jobs
      FROM queues q CROSS JOIN LATERAL (
        SELECT count(*) AS jobs FROM (
          SELECT FROM once_job j WHERE j.state = 'ready' AND j.queue = q.queue
          ORDER BY j.tenant, j.type, j.priority DESC, j.id LIMIT %1$d) f) r
      WHERE q.queue IS NOT NULL
      UNION ALL
      SELECT f.queue, 'running', count(*) FROM (
        SELECT j.queue FROM once_job j WHERE j.state = 'running'
        ORDER BY j.queue, j.tenant LIMIT %1$d) f GROUP BY f.queue
      UNION ALL
      SELECT f.queue, 'waiting', count(*) FROM (
        SELECT j.queue FROM once_job j WHERE j.state = 'waiting'
        ORDER BY j.run_at LIMIT %1$d) f GROUP BY f.queue
      UNION ALL
      SELECT f.queue, 'dead', count(*) FROM (
        SELECT j.queue FROM once_job j WHERE j.state = 'dead'
        ORDER BY j.tenant, j.queue, j.id LIMIT %1$d) f GROUP BY f.queue
      UNION ALL
      SELECT f.queue, 'blocked', count(*) FROM (
        SELECT j.queue FROM once_job j WHERE j.state = 'blocked'
        ORDER BY j.tenant, j.queue, j.aggregate, j.id LIMIT %1$d) f GROUP BY f.queue
      """
          .formatted(JobCensus.MAX_COUNT, OldestReadyStatement.QUEUES);

  private CensusStatement() {}

  static JobCensus execute(Connection connection, Map<String, Duration> oldest)
      throws SQLException {
    Map<String, Map<JobState, Long>> counts = new TreeMap<>();
    Map<JobState, Long> most = new EnumMap<>(JobState.class);
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        String queue = rows.getString("queue");
        JobState state = JobState.of(rows.getString("state"));
        counts
            .computeIfAbsent(queue, it -> new EnumMap<>(JobState.class))
            .put(state, rows.getLong("jobs"));
        // The limit of ready jobs is per queue, that of the other states for all queues.
        most.merge(state, rows.getLong("jobs"), state == JobState.READY ? Math::max : Long::sum);
      }
    }
    List<JobCensus.QueueCounts> lines = new ArrayList<>();
    counts.forEach((queue, it) -> lines.add(line(queue, it, oldest)));
    return new JobCensus(lines, cut(most));
  }

  private static JobCensus.QueueCounts line(
      String queue, Map<JobState, Long> counts, Map<String, Duration> oldest) {
    return new JobCensus.QueueCounts(
        queue,
        counts.getOrDefault(JobState.READY, 0L),
        counts.getOrDefault(JobState.WAITING, 0L),
        counts.getOrDefault(JobState.BLOCKED, 0L),
        counts.getOrDefault(JobState.RUNNING, 0L),
        counts.getOrDefault(JobState.DEAD, 0L),
        Optional.ofNullable(oldest.get(queue)));
  }

  private static Set<JobState> cut(Map<JobState, Long> most) {
    Set<JobState> cut = EnumSet.noneOf(JobState.class);
    most.forEach(
        (state, jobs) -> {
          if (jobs >= JobCensus.MAX_COUNT) {
            cut.add(state);
          }
        });
    return cut;
  }
}
