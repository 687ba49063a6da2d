package dev.once.bench;

import java.io.Closeable;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * All job queues over one database and one pool, with as many threads each as it has connections.
 */
final class JobQueues implements Closeable {
  private final BenchDatabase database;
  private final JobRows rows;
  private final Map<JobContestant, JobQueue> queues = new EnumMap<>(JobContestant.class);

  private JobQueues(BenchDatabase database, int threads) {
    this.database = database;
    this.rows = new JobRows(database);
    for (JobContestant contestant : JobContestant.values()) {
      queues.put(contestant, contestant.over(database, threads));
    }
  }

  static JobQueues create(DataSource source, int connections) {
    BenchDatabase database = new BenchDatabase(source, connections);
    JobContestant.createTables(database);
    JobQueues created = new JobQueues(database, connections);
    created.rows.create();
    return created;
  }

  BenchDatabase database() {
    return database;
  }

  JobRows rows() {
    return rows;
  }

  JobQueue get(JobContestant contestant) {
    return Objects.requireNonNull(queues.get(contestant));
  }

  @Override
  public void close() {
    queues.values().forEach(JobQueue::close);
    database.close();
  }
}
