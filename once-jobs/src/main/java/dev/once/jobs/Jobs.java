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
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;

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
    this.deadLetters = new DeadLetters(work, notifier, retentions.keys(), protection);
    this.admin = new JobAdmin(work, notifier, retentions.keys(), protection);
    this.schedules = new Schedules(work, notifier, listener, protection);
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
   * their next poll; {@link #wake} after the commit makes them poll immediately.
   *
   * @throws JobMismatchException if the key belongs to a job with another fingerprint
   */
  public EnqueueResult enqueue(Connection connection, Job job) {
    return enqueueAll(connection, List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs}, in one round trip. */
  public List<EnqueueResult> enqueueAll(Connection connection, List<Job> jobs) {
    try {
      List<EnqueueResult> result = execute(connection, jobs);
      report(jobs, result);
      return result;
    } catch (SQLException e) {
      throw new StoreException("enqueueing failed: " + SqlStates.messageOf(e), e);
    }
  }

  /**
   * Enqueues {@code job} in the caller's transaction, if the framework has one, and otherwise in a
   * transaction of its own. Workers are notified after the commit.
   *
   * @throws JobMismatchException if the key belongs to a job with another fingerprint
   */
  public EnqueueResult enqueue(Job job) {
    return enqueueAll(List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs} in one transaction. */
  public List<EnqueueResult> enqueueAll(List<Job> jobs) {
    Optional<Connection> current = transactions.current();
    if (current.isPresent()) {
      List<EnqueueResult> result = enqueueAll(current.get(), jobs);
      transactions.afterCommit(() -> wake(jobs));
      return result;
    }
    List<EnqueueResult> result =
        work.runInTransaction("enqueueing", connection -> execute(connection, jobs));
    report(jobs, result);
    wake(jobs);
    return result;
  }

  private List<EnqueueResult> execute(Connection connection, List<Job> jobs) throws SQLException {
    Limits.range("jobs", jobs.size(), 1, MAX_BATCH_SIZE);
    return new EnqueueStatement(protection).execute(connection, jobs);
  }

  /** Makes the workers of all processes poll {@code queue} immediately. */
  public void wake(String queue) {
    notifier.notifyQueue(queue);
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

  DataSource dataSource() {
    return dataSource;
  }

  JobTransactions transactions() {
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

  private void wake(List<Job> jobs) {
    Stream<String> queues =
        jobs.stream().map(job -> job.isDue() ? job.key().queue() : QueueNotifier.LATER);
    queues.distinct().forEach(this::wake);
  }

  private void report(List<Job> jobs, List<EnqueueResult> result) {
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
