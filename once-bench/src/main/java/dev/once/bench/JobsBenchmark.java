package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Job queues on the same PostgreSQL with the same handlers: how fast they work off a backlog, how
 * soon they start a new job, and which jobs are lost or repeated when workers are killed.
 */
final class JobsBenchmark {
  private static final double AIM = 4;

  private JobsBenchmark() {}

  static Report run(Session session) throws Exception {
    Settings settings = session.settings();
    List<Table> tables = new ArrayList<>();
    try (BenchDatabase database = session.database("jobs")) {
      RunRows rows = new RunRows(database);
      rows.createTable();
      QueueContestants.createTables(database);
      try (QueueContestants queues = QueueContestants.over(database, settings.connections())) {
        JobBacklog backlog = new JobBacklog(database, rows, settings.jobs());
        SpeedTable speeds = SpeedTable.of(session, "jobs", "A backlog is worked off", "jobs", 1);
        tables.add(speeds.table());
        JobQueue.Effect nothing = (job, lender) -> {};
        List<Series> idle = workOff(speeds, queues, backlog, "does nothing", nothing);
        workOff(speeds, queues, backlog, "writes one row", rows);
        tables.add(new JobPickUp(session, database, queues).run(idle));
        if (settings.kills() > 0) {
          tables.add(new JobCrashes(session, backlog, queues).run());
        }
      }
    }
    return new Report(
        "%s Backlogs of %,d jobs, %d threads."
            .formatted(session.describe(), settings.jobs(), settings.connections()),
        tables);
  }

  private static List<Series> workOff(
      SpeedTable table,
      QueueContestants queues,
      JobBacklog backlog,
      String work,
      JobQueue.Effect effect)
      throws Exception {
    List<Series> all =
        queues.all().stream()
            .map(it -> new Series(it.name(), () -> backlog.workOff(it.work(), effect)))
            .toList();
    table.compare(
        SpeedTable.Rounds.BACKLOG,
        "each " + work,
        "none",
        () -> {},
        List.of(new SpeedTable.Contest("each job " + work, AIM, all)));
    return all;
  }
}
