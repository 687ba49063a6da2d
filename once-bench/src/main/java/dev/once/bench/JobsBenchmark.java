package dev.once.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Job queues on the same PostgreSQL with the same handlers: how fast they work off a backlog, how
 * soon they start a new job, which jobs are lost or repeated when workers are killed, and what a
 * job costs the transaction that enqueues it.
 */
final class JobsBenchmark {
  private static final double AIM = 4;

  private JobsBenchmark() {}

  static Report run(Session session) throws Exception {
    Settings settings = session.settings();
    try (BenchDatabase database = session.database("jobs")) {
      JobRows rows = new JobRows(database);
      rows.createTable();
      Map<JobContestant, JobQueue> queues = JobContestant.allOver(database, settings.connections());
      JobBacklog backlog = new JobBacklog(database, rows, settings.jobs());
      Table speed =
          new Table(
                  "A backlog is worked off",
                  "each job | contestant | jobs/s | in rounds | Once ÷ it | aim | met")
              .charted("jobs/s", "contestant", "each job");
      List<Table> tables = new ArrayList<>(List.of(speed));
      Map<JobContestant, Series> noOps =
          workOff(session, speed, queues, backlog, "does nothing", JobQueue.Effect.NOTHING);
      workOff(session, speed, queues, backlog, "writes one row", rows);
      tables.add(new JobPickUp(session, database, queues).run(noOps));
      if (settings.kills() > 0) {
        tables.add(new JobCrashes(session, backlog, queues).run());
      }
      queues.values().forEach(JobQueue::close);
      tables.add(JobEnqueuing.run(session, database));
      return new Report(
          "%s Backlogs of %,d jobs, %d threads."
              .formatted(session.describe(), settings.jobs(), settings.connections()),
          tables);
    }
  }

  private static Map<JobContestant, Series> workOff(
      Session session,
      Table table,
      Map<JobContestant, JobQueue> queues,
      JobBacklog backlog,
      String work,
      JobQueue.Effect effect)
      throws Exception {
    Map<JobContestant, Series> measured = new EnumMap<>(JobContestant.class);
    queues.forEach(
        (contestant, queue) ->
            measured.put(
                contestant, new Series(queue.name(), () -> backlog.workOff(queue, effect))));
    session.comparison("jobs, each " + work, 1).run(List.copyOf(measured.values()), () -> {});
    Series once = Objects.requireNonNull(measured.get(JobContestant.ONCE_TOGETHER));
    measured.forEach(
        (contestant, series) ->
            table.row(
                work,
                series.name(),
                series.callsPerSecond(),
                series.range(),
                once.over(series),
                once.atLeast(AIM, "a backlog of jobs, each " + work, series)));
    return measured;
  }
}
