package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

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
    List<Table> tables = new ArrayList<>();
    try (BenchDatabase database = session.database("jobs")) {
      JobRows rows = new JobRows(database);
      rows.createTable();
      JobQueues.createTables(database);
      try (JobQueues queues = JobQueues.over(database, settings.connections())) {
        JobBacklog backlog = new JobBacklog(database, rows, settings.jobs());
        Table speeds =
            new Table(
                    "A backlog is worked off",
                    "each job | contestant | jobs/s | in rounds | Once ÷ it | aim | met")
                .charted("jobs/s", "contestant", "each job");
        tables.add(speeds);
        JobQueue.Effect nothing = (job, lender) -> {};
        List<Series> idle = workOff(session, speeds, queues, backlog, "does nothing", nothing);
        workOff(session, speeds, queues, backlog, "writes one row", rows);
        tables.add(new JobPickUp(session, database, queues).run(idle));
        if (settings.kills() > 0) {
          tables.add(new JobCrashes(session, backlog, queues).run());
        }
      }
      tables.add(JobEnqueuing.run(session, database));
    }
    return new Report(
        "%s Backlogs of %,d jobs, %d threads."
            .formatted(session.describe(), settings.jobs(), settings.connections()),
        tables);
  }

  private static List<Series> workOff(
      Session session,
      Table table,
      JobQueues queues,
      JobBacklog backlog,
      String work,
      JobQueue.Effect effect)
      throws Exception {
    List<Series> all =
        queues.all().stream()
            .map(it -> new Series(it.name(), () -> backlog.workOff(it, effect)))
            .toList();
    session.comparison("jobs, each " + work, 1).run(all, () -> {});
    Series once = all.get(0);
    for (Series series : all) {
      table.row(
          work,
          series.name(),
          series.callsPerSecond(),
          series.range(),
          once.over(series),
          once.atLeast(AIM, "a backlog of jobs, each " + work, series));
    }
    return all;
  }
}
