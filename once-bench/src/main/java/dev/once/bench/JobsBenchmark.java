package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Job queues on the same PostgreSQL with the same handlers: how fast they work off a backlog, how
 * soon they start a new job, which jobs are lost or repeated when workers are killed, and what a
 * job costs the transaction that enqueues it.
 */
final class JobsBenchmark implements Benchmark {
  /** JobRunr with more workers would lose the same jobs as with few. */
  static final List<JobContestant> KILLED =
      List.of(
          JobContestant.ONCE_TOGETHER,
          JobContestant.ONCE_TRANSACTIONAL,
          JobContestant.ONCE_LEASED,
          JobContestant.DB_SCHEDULER,
          JobContestant.JOBRUNR);

  private final EmbeddedPostgres server;
  private final List<JobContestant> killed;

  JobsBenchmark(EmbeddedPostgres server) {
    this(server, KILLED);
  }

  JobsBenchmark(EmbeddedPostgres server, List<JobContestant> killed) {
    this.server = server;
    this.killed = killed;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    PGSimpleDataSource source = server.newDatabase("jobs");
    try (JobQueues queues = JobQueues.create(source, settings.connections())) {
      JobThroughput throughput = new JobThroughput(queues, settings, progress);
      Table speed = throughput.run();
      Table latency = new JobLatency(queues, settings, progress).run(throughput);
      List<Table> tables = new ArrayList<>(List.of(speed, latency));
      if (settings.kills() > 0) {
        tables.add(new JobCrashes(source, queues, settings, progress).run(killed));
      }
      tables.add(new JobEnqueuing(queues.database(), settings, progress).run());
      return new Report(
          "%s Backlogs of %,d jobs, %d threads."
              .formatted(settings.describe(), settings.jobs(), settings.connections()),
          tables);
    }
  }
}
