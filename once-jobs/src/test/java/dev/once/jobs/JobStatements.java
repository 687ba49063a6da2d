package dev.once.jobs;

import dev.once.Sealing;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Executes the statements of workers one at a time. */
final class JobStatements {
  static final Duration RETENTION = Duration.ofHours(24);

  static final Retentions RETENTIONS =
      new Retentions(RETENTION, RETENTION, Optional.empty(), RETENTION);

  private static final PayloadProtection PLAIN =
      new PayloadProtection(Sealing.NONE, UnaryOperator.identity());

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 10_000_000;

  private final JobDatabase database;
  private final TransactionRunner work;

  JobStatements(JobDatabase database) {
    this.database = database;
    this.work = new TransactionRunner(database.dataSource());
  }

  /** Returns each job that is not finished, as key and state. */
  List<String> states() {
    return database.query("SELECT key || ' ' || state FROM once_job ORDER BY tenant, key");
  }

  /** Waits until every job is finished. */
  void awaitAllDone() {
    Polling.until(this::states, List::isEmpty);
  }

  /** Returns the highest fence of all jobs. */
  long fence() {
    return Long.parseLong(database.query("SELECT max(fence) FROM once_job").get(0));
  }

  List<ClaimedJob> claim(Queue queue, int count) {
    return claim(queue, "", count);
  }

  /** Starts after a tenant. */
  List<ClaimedJob> claim(Queue queue, String after, int count) {
    return claim(queue, after, 0, count);
  }

  /** Starts with an id. */
  List<ClaimedJob> claimFrom(Queue queue, long from, int count) {
    return claim(queue, "", from, count);
  }

  private List<ClaimedJob> claim(Queue queue, String after, long from, int count) {
    List<String> types = database.query("SELECT DISTINCT type FROM once_job UNION SELECT 'none'");
    ClaimStatement claim = new ClaimStatement(queue, Set.copyOf(types));
    return work.run("claim", it -> claim.execute(it, after, from, count, Long.MAX_VALUE)).jobs();
  }

  ClaimedJob claimOne(String queue) {
    List<ClaimedJob> claimed = claim(Queue.named(queue), 1);
    if (claimed.isEmpty()) {
      throw new AssertionError("nothing to claim in " + queue);
    }
    return claimed.get(0);
  }

  /** Returns whether the claim was still the newest one. */
  boolean finish(ClaimedJob job) {
    return !finishAll(List.of(job)).isEmpty();
  }

  Set<Long> finishAll(List<ClaimedJob> jobs) {
    return work.run("finish", it -> CompleteStatement.execute(it, jobs, RETENTION)).ids();
  }

  boolean reschedule(ClaimedJob job, Duration delay, RunKind run) {
    Settlement.Reschedule settlement =
        new Settlement.Reschedule(leaseOf(job), delay, run, AttemptFailure.of("it failed"));
    return !work.run(
            "reschedule", it -> new RescheduleStatement(PLAIN).execute(it, List.of(settlement)))
        .isEmpty();
  }

  /** Counts the attempt in advance, and returns whether the claim was still the newest one. */
  boolean count(ClaimedJob job) {
    List<JobLease> leases = List.of(leaseOf(job));
    return !work.run("count", it -> CountStatement.execute(it, leases)).isEmpty();
  }

  boolean deadLetter(ClaimedJob job) {
    Settlement.Dead settlement =
        Settlement.Dead.inThisAttempt(leaseOf(job), AttemptFailure.of("it failed"));
    DeadLetterStatement statement = new DeadLetterStatement(PLAIN, RETENTIONS);
    return !work.run("dead-letter", it -> statement.execute(it, List.of(settlement))).isEmpty();
  }

  RenewStatement.RenewResult renew(ClaimedJob job) {
    return work.run(
        "renew", it -> RenewStatement.execute(it, List.of(job), Duration.ofSeconds(30)));
  }

  MakeReadyStatement.MakeReadyResult makeReady() {
    return work.run("make ready", MakeReadyStatement::execute);
  }

  Set<String> unblock() {
    return work.run("unblock", it -> UnblockStatement.execute(it, UnblockStatement.Position.FIRST))
        .queues();
  }

  /** Unblocks some aggregates, and returns where the next call continues. */
  UnblockStatement.Position unblock(UnblockStatement.Position after) {
    return work.run("unblock", it -> UnblockStatement.execute(it, after)).next();
  }

  void purgeOld(Retentions retentions) {
    work.runInTransaction(
        "purge",
        it -> {
          PurgeOldStatement.execute(it, retentions);
          return true;
        });
  }

  long purge(Duration retention) {
    return work.run("purge", it -> PurgeStatement.execute(it, retention));
  }

  /**
   * Waits until the lease of {@code run} was renewed by {@code time}, as long as the run holds it.
   * An interrupt ends the wait.
   */
  void awaitRenewedBy(Duration time, JobRun run) throws InterruptedException {
    String lease = "SELECT extract(epoch FROM lease_until) FROM once_job WHERE id = " + run.id();
    double first = Double.parseDouble(database.query(lease).get(0));
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (Double.parseDouble(database.query(lease).get(0)) < first + time.toMillis() / 1e3) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the lease was not renewed by " + time);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Waits until some connection of the database waits for another one's lock. */
  void awaitBlockedBackend() {
    String sql =
        """
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """;
    Polling.until(() -> database.query(sql), rows -> !rows.isEmpty());
  }

  /** The resources of {@code jobs}, in their order. */
  static List<String> resources(List<ClaimedJob> jobs) {
    List<String> resources = new ArrayList<>();
    jobs.forEach(job -> resources.add(job.key().resource()));
    return resources;
  }

  JobLease leaseOf(ClaimedJob job) {
    return new JobLease(job, runner(job.key().queue()), System.nanoTime(), RETENTION);
  }

  /** Returns a runner that is not started. */
  QueueRunner runner(String queue) {
    return new QueueRunner(Queue.named(queue), Map.of(), context());
  }

  WorkerContext context() {
    return new WorkerContext(
        work,
        PLAIN,
        new JdbcTransactions(database.dataSource()),
        settlementWriter(new LinkedBlockingQueue<>()),
        new Deadlines(),
        new BatchMaintenance(database.jobs().batchCloser(), RETENTION, JobListener.NONE),
        JobListener.NONE,
        RETENTION,
        RETENTIONS);
  }

  /** Returns a writer that is not started. */
  SettlementWriter settlementWriter(BlockingQueue<Settlement> settlements) {
    QueueNotifier silent = new QueueNotifier(work, false, JobListener.NONE);
    return new SettlementWriter(work, PLAIN, RETENTIONS, JobListener.NONE, silent, settlements);
  }
}
