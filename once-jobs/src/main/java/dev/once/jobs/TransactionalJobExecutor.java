package dev.once.jobs;

import dev.once.jobs.CompleteStatement.CompleteResult;
import dev.once.jobs.Deadlines.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs handlers whose writes and the completion of their jobs are one transaction. */
record TransactionalJobExecutor(WorkerContext context, JobExecutor.Failed failed) {
  void run(List<JobLease> leases, Handler.Transactional handler) {
    if (leases.size() > 1 && runBatch(leases, handler)) {
      return;
    }
    leases.forEach(jobLease -> runAlone(jobLease, handler));
  }

  /**
   * Returns false if the transaction was rolled back, or its outcome is unknown. Then each job runs
   * again in its own transaction; a job that was committed after all counts as lost there, and its
   * second run is rolled back.
   */
  private boolean runBatch(List<JobLease> leases, Handler.Transactional handler) {
    try {
      execute(leases, handler);
      return true;
    } catch (Throwable e) { // The single runs show which job failed.
      Thread.interrupted();
      return false;
    }
  }

  private void runAlone(JobLease jobLease, Handler.Transactional handler) {
    try {
      execute(List.of(jobLease), handler);
    } catch (JobLostException e) {
      context.settlements().lost(jobLease);
    } catch (Throwable e) {
      failed.accept(jobLease, handler.retries(), e);
    }
  }

  private void execute(List<JobLease> leases, Handler.Transactional handler) throws Exception {
    List<Duration> took = new ArrayList<>();
    boolean hasUnblocked =
        context
            .transactions()
            .execute(
                connection -> {
                  for (JobLease jobLease : leases) {
                    took.add(call(handler, jobLease, connection));
                  }
                  return complete(leases, connection);
                });
    for (int i = 0; i < leases.size(); i++) {
      context.settlements().completed(leases.get(i), took.get(i));
    }
    if (hasUnblocked) {
      leases.get(0).runner().wake();
    }
  }

  @SuppressWarnings("try") // The deadline ends with the work.
  private Duration call(Handler.Transactional handler, JobLease jobLease, Connection connection)
      throws Exception {
    byte[] payload = context.open(jobLease.job());
    long started = System.nanoTime();
    jobLease.unsettle(); // The previous settlement may have been rolled back.
    jobLease.begin();
    try (Deadline deadline = context.deadlines().start(jobLease, handler.deadline())) {
      try {
        handler.work().run(new JobRun(jobLease, payload), connection);
      } finally {
        jobLease.end(); // Before the deadline is closed, which clears its interrupt.
      }
    }
    if (jobLease.isLost()) {
      throw new JobLostException();
    }
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private boolean complete(List<JobLease> leases, Connection connection) throws SQLException {
    leases.forEach(JobLease::settle);
    List<ClaimedJob> jobs = leases.stream().map(JobLease::job).toList();
    CompleteResult finished =
        CompleteStatement.execute(connection, jobs, context.retentions().keys());
    if (finished.ids().size() < jobs.size()) {
      throw new JobLostException();
    }
    return finished.hasUnblocked();
  }
}
