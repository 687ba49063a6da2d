package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.spi.SqlStates;
import dev.once.jdbc.spi.TransactionRunner;
import dev.once.spi.Limits;
import dev.once.spi.Listeners;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Takes jobs in. A job that is enqueued in a transaction is there if, and only if, the transaction
 * is committed: the table of jobs is the outbox. Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  /** How many jobs can be enqueued in one call. */
  public static final int MAX_BATCH_SIZE = 10_000;

  private final DataSource dataSource;
  private final JobTransactions transactions;
  private final JobListener listener;
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final Duration retention;
  private final DeadLetters deadLetters;
  private final Schedules schedules;

  private Jobs(Builder builder) {
    this.dataSource = builder.dataSource;
    this.transactions = builder.transactions.orElseGet(() -> new JdbcTransactions(dataSource));
    this.listener = Listeners.<JobEvent>guarded(builder.listener::on)::accept;
    this.work = new TransactionRunner(dataSource);
    this.notifier = new QueueNotifier(work, builder.notifies, listener);
    this.retention = builder.retention;
    this.deadLetters = new DeadLetters(work, notifier, retention);
    this.schedules = new Schedules(work, notifier, listener);
  }

  /**
   * Jobs in the tables of {@code dataSource}'s database.
   *
   * @throws StoreException if the tables are missing, or of another release than this one can use
   */
  public static Jobs over(DataSource dataSource) {
    return builder(dataSource).build();
  }

  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Enqueues {@code job} in the transaction that is open on {@code connection}. Workers find it
   * when they look for work the next time; {@link #wake} after the commit makes them look at once.
   *
   * @throws JobMismatchException if the key belongs to a job that asks for something else
   */
  public EnqueueResult enqueue(Connection connection, Job job) {
    return enqueueAll(connection, List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs}, in one round trip. */
  public List<EnqueueResult> enqueueAll(Connection connection, List<Job> jobs) {
    try {
      List<EnqueueResult> result = execute(connection, jobs);
      tell(jobs, result);
      return result;
    } catch (SQLException e) {
      throw new StoreException("enqueueing failed: " + SqlStates.messageOf(e), e);
    }
  }

  /**
   * Enqueues {@code job} in the caller's transaction, if there is one that the framework knows of,
   * and otherwise in one of its own. Workers are woken after the commit.
   *
   * @throws JobMismatchException if the key belongs to a job that asks for something else
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
    tell(jobs, result);
    wake(jobs);
    return result;
  }

  private static List<EnqueueResult> execute(Connection connection, List<Job> jobs) throws SQLException {
    Limits.range("jobs", jobs.size(), 1, MAX_BATCH_SIZE);
    return EnqueueStatement.execute(connection, jobs);
  }

  /** Makes workers, here and elsewhere, look for work in {@code queue} at once. */
  public void wake(String queue) {
    notifier.ring(queue);
  }

  /** The job that has {@code key}; one that is done for as long as its key is kept. */
  public Optional<JobView> find(JobKey key) {
    return work.run("finding a job", connection -> FindJobStatement.execute(connection, key));
  }

  /** Jobs that nobody tries any more, and what can be done about them. */
  public DeadLetters deadLetters() {
    return deadLetters;
  }

  /** How many jobs there are, in bounded time. */
  public JobCensus census() {
    return work.run(
        "counting jobs", it -> CensusStatement.execute(it, OldestReadyStatement.execute(it)));
  }

  /**
   * Keeps {@code schedule}, for {@link Workers} to fire. Every node may say so at every start: one
   * that is there and unchanged stays as it is. If cron or zone changed, it fires next when the new
   * ones say so, counted from now; any other change leaves the time alone.
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

  /** The schedules of {@code tenant}, in the order of their names. */
  public List<ScheduleView> schedules(String tenant) {
    return schedules.list(tenant);
  }

  /** Enqueueing goes on to work; others are no longer woken by it. */
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

  Duration retention() {
    return retention;
  }

  Schedules schedules() {
    return schedules;
  }

  private void wake(List<Job> jobs) {
    Stream<String> queues = jobs.stream().map(job -> job.key().queue());
    queues.distinct().forEach(this::wake);
  }

  private void tell(List<Job> jobs, List<EnqueueResult> result) {
    for (int i = 0; i < jobs.size(); i++) {
      JobKey key = jobs.get(i).key();
      EnqueueResult it = result.get(i);
      listener.on(
          it.created()
              ? new JobEvent.Added(key, it.id())
              : new JobEvent.Joined(key, it.id(), it.state()));
    }
  }

  /** Says how jobs are taken in. */
  public static final class Builder {
    public static final Duration MIN_RETENTION = Duration.ofMinutes(1);
    public static final Duration MAX_RETENTION = Duration.ofDays(400);

    private static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private final DataSource dataSource;
    private Optional<JobTransactions> transactions = Optional.empty();
    private JobListener listener = JobListener.NONE;
    private boolean notifies = true;
    private Duration retention = DEFAULT_RETENTION;

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /** Transactions of a framework, in place of JDBC's own. */
    public Builder transactions(JobTransactions transactions) {
      this.transactions = Optional.of(transactions);
      return this;
    }

    /**
     * Is told what happens to jobs that are enqueued here, and run by {@link Workers} over this.
     */
    public Builder listener(JobListener listener) {
      this.listener = listener;
      return this;
    }

    /** Workers of other processes are not notified: they find work when they look for it. */
    public Builder withoutNotify() {
      this.notifies = false;
      return this;
    }

    /**
     * How long the keys of finished and discarded jobs are kept, at least: that long the same job,
     * enqueued again, is known to be done. 24 h by default. The same for all processes.
     */
    public Builder retention(Duration retention) {
      Limits.range("retention", retention, MIN_RETENTION, MAX_RETENTION);
      this.retention = retention;
      return this;
    }

    public Jobs build() {
      JobsSchema.check(dataSource);
      return new Jobs(this);
    }
  }
}
