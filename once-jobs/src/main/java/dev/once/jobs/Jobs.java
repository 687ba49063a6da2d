package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.internal.RoutingSources;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  private final DeadLetters deadLetters;
  private final JobAdmin admin;
  private final Schedules schedules;
  private final BatchCloser batchCloser;
  private final JobBatches batches;

  /** The queues that this process works on. */
  private final List<QueueRunner> runners = new CopyOnWriteArrayList<>();

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
    List<EnqueueResult> result =
        enqueueAll(connection, jobs, EagerStart.none()); // Nothing tells of the commit.
    wakeWhenDue(jobs);
    return result;
  }

  private List<EnqueueResult> enqueueAll(Connection connection, List<Job> jobs, EagerStart eager) {
    try {
      List<EnqueueResult> result = execute(connection, jobs, eager);
      report(jobs, result);
      return result;
    } catch (SQLException e) {
      throw new StoreException("enqueueing failed: " + SqlStates.messageOf(e), e);
    }
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
    Limits.range("jobs", jobs.size(), 1, MAX_BATCH_SIZE);
    Optional<Connection> current = transactions.current();
    EagerStart eager = EagerStart.reserve(runners, jobs);
    return current.isPresent() ? enqueueIn(current.get(), jobs, eager) : enqueueAlone(jobs, eager);
  }

  private List<EnqueueResult> enqueueIn(Connection current, List<Job> jobs, EagerStart eager) {
    try {
      return enqueueAll(current, jobs, eager);
    } finally { // The caller may commit although one of the jobs was refused.
      transactions.afterCommit(
          () -> {
            eager.start(false);
            wake(jobs, eager);
          });
    }
  }

  private List<EnqueueResult> enqueueAlone(List<Job> jobs, EagerStart eager) {
    List<EnqueueResult> result;
    try {
      result = work.runInTransaction("enqueueing", connection -> execute(connection, jobs, eager));
    } catch (Throwable e) {
      eager.release();
      throw e;
    }
    report(jobs, result);
    eager.start(true);
    wake(jobs, eager);
    return result;
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
    Optional<Connection> current = transactions.current();
    DecidedJobs decided = new DecidedJobs();
    if (current.isPresent()) {
      try {
        return decided.enqueue(current.get(), what, decision, true);
      } finally { // The caller may commit although one of the jobs was refused.
        transactions.afterCommit(() -> decided.start(false));
      }
    }
    T result;
    try {
      result = work.runInTransaction(what, it -> decided.enqueue(it, decision, true));
    } catch (Throwable e) {
      decided.release();
      throw e;
    }
    decided.report();
    decided.start(true);
    return result;
  }

  /**
   * Does the same in the transaction that is open on {@code connection}. {@link #wake} after the
   * commit makes workers poll immediately.
   */
  public <T extends @Nullable Object> T enqueueWith(
      Connection connection, String what, Decision<T> decision) {
    return new DecidedJobs().enqueue(connection, what, decision, false);
  }

  /** The jobs of a decision. Used by one thread, and then by the one that commits. */
  private final class DecidedJobs {
    private final List<Job> jobs = new ArrayList<>();
    private final List<EnqueueResult> results = new ArrayList<>();
    private EagerStart eager = EagerStart.none();

    /**
     * @param hearsOfCommit whether {@link #start} is called after the commit
     */
    <T extends @Nullable Object> T enqueue(
        Connection connection, String what, Decision<T> decision, boolean hearsOfCommit) {
      try {
        T result = enqueue(connection, decision, hearsOfCommit);
        report();
        return result;
      } catch (SQLException e) {
        throw new StoreException(what + " failed: " + SqlStates.messageOf(e), e);
      }
    }

    <T extends @Nullable Object> T enqueue(
        Connection connection, Decision<T> decision, boolean hearsOfCommit) throws SQLException {
      release(); // The transaction may be repeated after a conflict.
      T result = decision.run(connection, jobs);
      if (!jobs.isEmpty()) {
        eager = hearsOfCommit ? EagerStart.reserve(runners, jobs) : EagerStart.none();
        results.addAll(execute(connection, jobs, eager));
      }
      return result;
    }

    /** Forgets the jobs, and gives back their places. */
    void release() {
      eager.release();
      eager = EagerStart.none();
      jobs.clear();
      results.clear();
    }

    void report() {
      Jobs.this.report(jobs, results);
    }

    void start(boolean isCertain) {
      eager.start(isCertain);
      wake(jobs, eager);
    }
  }

  private List<EnqueueResult> execute(Connection connection, List<Job> jobs, EagerStart eager)
      throws SQLException {
    Limits.range("jobs", jobs.size(), 1, MAX_BATCH_SIZE);
    eager.repeat();
    return new EnqueueStatement(protection).execute(connection, jobs, eager);
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
    Stream<String> queues =
        jobs.stream().map(job -> job.isDue() ? job.key().queue() : QueueNotifier.LATER);
    queues.distinct().forEach(this::wake);
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
    runners.addAll(added);
  }

  void removeRunners(List<QueueRunner> removed) {
    runners.removeAll(removed);
  }

  /** Wakes workers for the jobs that are left to them. */
  private void wake(List<Job> jobs, EagerStart eager) {
    IntStream.range(0, jobs.size())
        .filter(place -> !eager.isLeased(place))
        .mapToObj(jobs::get)
        .map(job -> job.isDue() ? job.key().queue() : QueueNotifier.LATER)
        .distinct()
        .forEach(this::wake);
  }

  BatchCloser batchCloser() {
    return batchCloser;
  }

  void report(List<Job> jobs, List<EnqueueResult> result) {
    for (int i = 0; i < jobs.size(); i++) {
      JobKey key = jobs.get(i).key();
      EnqueueResult it = result.get(i);
      listener.on(
          it.created()
              ? new JobEvent.Added(key, it.id())
              : new JobEvent.Joined(key, it.id(), it.state()));
    }
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
