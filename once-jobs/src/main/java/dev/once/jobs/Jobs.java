package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.internal.RoutingSources;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs. A job that is enqueued in a transaction exists if, and only if, the transaction
 * commits: the table of jobs is the outbox. Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  /** The maximum number of jobs in one call. */
  public static final int MAX_BATCH_SIZE = 10_000;

  private final DataSource dataSource;
  private final JobTransactions transactions;
  private final JobListener listener;
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final Retentions retentions;
  private final PayloadProtection protection;
  private final Enqueuer enqueuer;
  private final DeadLetters deadLetters;
  private final JobAdmin admin;
  private final Schedules schedules;
  private final BatchCloser batchCloser;
  private final JobBatches batches;

  private Jobs(Builder builder) {
    this.dataSource = builder.dataSource;
    this.transactions = builder.transactions.orElseGet(() -> new JdbcTransactions(dataSource));
    this.listener = Listeners.<JobEvent>guarded(builder.listener::on)::accept;
    this.work = new TransactionRunner(dataSource);
    this.notifier = new QueueNotifier(work, builder.notifies, listener);
    this.retentions =
        new Retentions(
            builder.retention,
            builder.effectRetention,
            builder.deadLetterRetention,
            builder.auditRetention);
    this.protection = new PayloadProtection(builder.sealing, builder.fingerprints);
    this.enqueuer = new Enqueuer(transactions, work, notifier, protection, listener);
    this.batchCloser = new BatchCloser(work, notifier, listener);
    this.deadLetters =
        new DeadLetters(work, notifier, batchCloser, retentions.keys(), protection, listener);
    this.admin = new JobAdmin(work, notifier, batchCloser, retentions.keys(), protection, listener);
    this.schedules = new Schedules(work, notifier, listener, protection);
    this.batches = new JobBatches(this, batchCloser);
  }

  /**
   * Returns jobs in the tables of {@code dataSource}'s database.
   *
   * @throws StoreException if the tables are missing, or of a release that this one cannot use
   */
  public static Jobs over(DataSource dataSource) {
    return builder(dataSource).build();
  }

  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Enqueues {@code job} in the transaction that is open on {@code connection}. Workers find it at
   * their next poll; {@link #wake(String)} after the commit makes them poll immediately. Workers
   * find a delayed job when it is due, if the transaction was committed by then.
   *
   * @throws JobMismatchException if the key belongs to a job with another fingerprint
   */
  public EnqueueResult enqueue(Connection connection, Job job) {
    return enqueueAll(connection, List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs}, in one round trip. */
  public List<EnqueueResult> enqueueAll(Connection connection, List<Job> jobs) {
    List<EnqueueResult> result = enqueuer.enqueueAll(connection, jobs);
    wakeWhenDue(jobs);
    return result;
  }

  /**
   * Enqueues {@code job} in the caller's transaction, if the framework has one, and otherwise in a
   * transaction of its own. After the commit workers are notified; workers of this process that
   * have a free slot start the job without a claim.
   *
   * @throws JobMismatchException if the key belongs to a job with another fingerprint
   */
  public EnqueueResult enqueue(Job job) {
    return enqueueAll(List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs} in one transaction. */
  public List<EnqueueResult> enqueueAll(List<Job> jobs) {
    return enqueuer.enqueueAll(jobs);
  }

  /** Statements that decide which jobs are necessary. */
  @FunctionalInterface
  public interface Decision<T> {
    /** Executes the statements, and adds the jobs that are to be enqueued to {@code jobs}. */
    T run(Connection connection, List<Job> jobs) throws SQLException;
  }

  /**
   * Executes statements and enqueues the jobs that they make necessary, in one transaction: the
   * caller's, if the framework has one. For code that keeps rows of its own beside its jobs.
   * Workers are notified after the commit.
   *
   * @param what names the statements in error messages
   * @throws StoreException if they failed
   */
  public <T extends @Nullable Object> T enqueueWith(String what, Decision<T> decision) {
    return enqueuer.enqueueWith(what, decision);
  }

  /**
   * Does the same in the transaction that is open on {@code connection}. {@link #wake} after the
   * commit makes workers poll immediately.
   */
  public <T extends @Nullable Object> T enqueueWith(
      Connection connection, String what, Decision<T> decision) {
    return enqueuer.enqueueWith(connection, what, decision);
  }

  /** Makes the workers of all processes poll {@code queue} immediately. */
  public void wake(String queue) {
    notifier.notifyQueue(queue);
  }

  /**
   * Tells the workers of all processes that {@code jobs} were committed: they poll for those that
   * are due, and know when the others are.
   */
  public void wake(List<Job> jobs) {
    enqueuer.wake(jobs, EagerStart.none());
  }

  /** Returns the job that has {@code key}; a finished job for as long as its key is stored. */
  public Optional<JobView> find(JobKey key) {
    return work.run("finding a job", it -> FindJobStatement.execute(it, key, protection));
  }

  /** Returns the dead letters, which operators can list, retry and discard. */
  public DeadLetters deadLetters() {
    return deadLetters;
  }

  /** Returns the jobs that are not finished, which operators can list, cancel and postpone. */
  public JobAdmin admin() {
    return admin;
  }

  /** Returns the batches: jobs with a join, which runs when all of them are done. */
  public JobBatches batches() {
    return batches;
  }

  /** Returns the number of jobs, in bounded time. */
  public JobCensus census() {
    return work.run(
        "counting jobs", it -> CensusStatement.execute(it, OldestReadyStatement.execute(it)));
  }

  /**
   * Stores {@code schedule}, for {@link Workers} to fire. Every node may call this at every start:
   * a schedule that exists and is unchanged stays as it is. If cron or zone changed, the next
   * firing is computed from now; any other change keeps the time of the next firing.
   *
   * @throws IllegalStateException if the tenant has {@link Schedule#MAX_PER_TENANT}
   */
  public void schedule(Schedule schedule) {
    schedules.put(schedule);
  }

  /** Removes a schedule; jobs that it has enqueued stay. Returns whether there was one. */
  public boolean unschedule(String tenant, String name) {
    return schedules.remove(tenant, name);
  }

  /** Returns the schedules of {@code tenant}, in the order of their names. */
  public List<ScheduleView> schedules(String tenant) {
    return schedules.list(tenant);
  }

  /** Returns how payloads are encrypted, for code that stores jobs by statements of its own. */
  public Sealing sealing() {
    return protection.sealing();
  }

  /**
   * Returns {@code fingerprint} as it is stored, for code that stores jobs by its own statements.
   */
  public Fingerprint stored(Fingerprint fingerprint) {
    return protection.stored(fingerprint);
  }

  /** Stops notifying other processes. Enqueueing still works. */
  @Override
  public void close() {
    notifier.close();
  }

  /** Returns the database of the jobs, for code that keeps rows of its own beside them. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Returns the source of transactions, for code that commits rows of its own beside jobs. */
  public JobTransactions transactions() {
    return transactions;
  }

  JobListener listener() {
    return listener;
  }

  TransactionRunner work() {
    return work;
  }

  QueueNotifier notifier() {
    return notifier;
  }

  Retentions retentions() {
    return retentions;
  }

  PayloadProtection protection() {
    return protection;
  }

  Schedules schedules() {
    return schedules;
  }

  /** Wakes workers when delayed jobs are due that the caller will commit. */
  void wakeWhenDue(List<Job> jobs) {
    jobs.forEach(job -> notifier.notifyWhenDue(job.dueIn()));
  }

  /** Adds queues of this process, whose jobs may start eagerly from now on. */
  void addRunners(List<QueueRunner> added) {
    enqueuer.addRunners(added);
  }

  void removeRunners(List<QueueRunner> removed) {
    enqueuer.removeRunners(removed);
  }

  BatchCloser batchCloser() {
    return batchCloser;
  }

  void report(List<Job> jobs, List<EnqueueResult> results) {
    enqueuer.report(jobs, results);
  }

  /** The settings of {@link Jobs}. */
  public static final class Builder {
    public static final Duration MIN_RETENTION = Duration.ofMinutes(1);
    public static final Duration MAX_RETENTION = Duration.ofDays(400);

    private static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    /** As long as steps and payments are remembered, and longer than jobs are retried. */
    private static final Duration DEFAULT_EFFECT_RETENTION = Duration.ofDays(30);

    private final DataSource dataSource;
    private Optional<JobTransactions> transactions = Optional.empty();
    private JobListener listener = JobListener.NONE;
    private boolean notifies = true;
    private Duration retention = DEFAULT_RETENTION;
    private Duration effectRetention = DEFAULT_EFFECT_RETENTION;
    private Optional<Duration> deadLetterRetention = Optional.empty();
    private Duration auditRetention = MAX_RETENTION;
    private Sealing sealing = Sealing.NONE;
    private UnaryOperator<Fingerprint> fingerprints = UnaryOperator.identity();

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /** Uses the transactions of a framework, in place of plain JDBC. */
    public Builder transactions(JobTransactions transactions) {
      this.transactions = Optional.of(transactions);
      return this;
    }

    /**
     * Receives the events of the jobs that are enqueued here, and run by {@link Workers} over this
     * object.
     */
    public Builder listener(JobListener listener) {
      this.listener = listener;
      return this;
    }

    /** Does not notify the workers of other processes: they find jobs by polling. */
    public Builder withoutNotify() {
      this.notifies = false;
      return this;
    }

    /**
     * Sets how long the keys of finished and discarded jobs are stored, at least: for that time the
     * same job, enqueued again, is known to be done. 24 h by default. Of processes with different
     * values each stores the keys of its own jobs for its own time.
     */
    public Builder retention(Duration retention) {
      Limits.range("retention", retention, MIN_RETENTION, MAX_RETENTION);
      this.retention = retention;
      return this;
    }

    /**
     * Sets how long what leased handlers do is remembered elsewhere, such as in the records of
     * their steps and payments; 30 days by default. A leased job that began longer ago becomes a
     * dead letter instead of another attempt, because the attempt might repeat what is forgotten,
     * and that letter cannot be retried, only {@linkplain DeadLetters#repeat repeated}. If steps
     * have a shorter retention, set this to the same.
     */
    public Builder effectRetention(Duration retention) {
      Limits.range("retention of effects", retention, MIN_RETENTION, MAX_RETENTION);
      this.effectRetention = retention;
      return this;
    }

    /** Discards dead letters after that time. By default they stay until an operator decides. */
    public Builder deadLetterRetention(Duration retention) {
      Limits.range("retention of dead letters", retention, MIN_RETENTION, MAX_RETENTION);
      this.deadLetterRetention = Optional.of(retention);
      return this;
    }

    /** Sets how long the changes of operators are kept; 400 days by default. */
    public Builder auditRetention(Duration retention) {
      Limits.range("retention of the audit trail", retention, MIN_RETENTION, MAX_RETENTION);
      this.auditRetention = retention;
      return this;
    }

    /**
     * Encrypts the payloads of jobs, schedules and dead letters, and why attempts failed. Payloads
     * that are stored already stay as they are. A worker whose process lacks the key of a payload
     * does not call its handler.
     */
    public Builder sealing(Sealing sealing) {
      this.sealing = sealing;
      return this;
    }

    /**
     * Sets what is stored in place of a job's fingerprint; the fingerprint itself by default. That
     * is a SHA-256 of the payload, from which a short payload can be guessed; a keyed digest of it
     * reveals nothing. Equal fingerprints must stay equal, and different ones different. Use the
     * same function in all processes: a job that is enqueued twice is compared by its result.
     */
    public Builder fingerprints(UnaryOperator<Fingerprint> stored) {
      this.fingerprints = stored;
      return this;
    }

    /**
     * Returns the jobs in the database.
     *
     * @throws IllegalArgumentException if the {@code DataSource} chooses a database by the calling
     *     thread: workers would look for jobs in one database alone
     */
    public Jobs build() {
      RoutingSources.refuse(dataSource, ", and have a Jobs for each database");
      JobsSchema.check(dataSource);
      return new Jobs(this);
    }
  }
}
