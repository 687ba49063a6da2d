package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.spi.SqlStates;
import dev.once.jdbc.spi.Work;
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
  public static final int MAX_TOGETHER = 10_000;

  private final DataSource dataSource;
  private final JobTransactions transactions;
  private final JobListener listener;
  private final Work work;
  private final Bell bell;
  private final Duration retention;
  private final DeadLetters deadLetters;
  private final Schedules schedules;

  private Jobs(Builder builder) {
    this.dataSource = builder.dataSource;
    this.transactions = builder.transactions.orElseGet(() -> new JdbcTransactions(dataSource));
    this.listener = Listeners.<JobEvent>guarded(builder.listener::on)::accept;
    this.work = new Work(dataSource);
    this.bell = new Bell(work, builder.notifies, listener);
    this.retention = builder.retention;
    this.deadLetters = new DeadLetters(work, bell, retention);
    this.schedules = new Schedules(work, bell, listener);
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
  public Enqueued enqueue(Connection connection, Job job) {
    return enqueueAll(connection, List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs}, in one round trip. */
  public List<Enqueued> enqueueAll(Connection connection, List<Job> jobs) {
    try {
      List<Enqueued> enqueued = execute(connection, jobs);
      tell(jobs, enqueued);
      return enqueued;
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
  public Enqueued enqueue(Job job) {
    return enqueueAll(List.of(job)).get(0);
  }

  /** Enqueues all of {@code jobs} in one transaction. */
  public List<Enqueued> enqueueAll(List<Job> jobs) {
    Optional<Connection> current = transactions.current();
    if (current.isPresent()) {
      List<Enqueued> enqueued = enqueueAll(current.get(), jobs);
      transactions.afterCommit(() -> wake(jobs));
      return enqueued;
    }
    List<Enqueued> enqueued =
        work.runInTransaction("enqueueing", connection -> execute(connection, jobs));
    tell(jobs, enqueued);
    wake(jobs);
    return enqueued;
  }

  private static List<Enqueued> execute(Connection connection, List<Job> jobs) throws SQLException {
    Limits.range("jobs", jobs.size(), 1, MAX_TOGETHER);
    return EnqueueStatement.execute(connection, jobs);
  }

  /** Makes workers, here and elsewhere, look for work in {@code queue} at once. */
  public void wake(String queue) {
    bell.ring(queue);
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
  public List<Scheduled> schedules(String tenant) {
    return schedules.list(tenant);
  }

  /** Enqueueing goes on to work; others are no longer woken by it. */
  @Override
  public void close() {
    bell.close();
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

  Work work() {
    return work;
  }

  Bell bell() {
    return bell;
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

  private void tell(List<Job> jobs, List<Enqueued> enqueued) {
    for (int i = 0; i < jobs.size(); i++) {
      JobKey key = jobs.get(i).key();
      Enqueued it = enqueued.get(i);
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
