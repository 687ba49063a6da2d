package dev.once.jobs;

import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Inserts jobs in the caller's transaction or in one of their own, and tells workers after the
 * commit. Workers of this process that have a free slot start such a job without a claim.
 */
final class Enqueuer {
  private final JobTransactions transactions;
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final PayloadProtection protection;
  private final JobListener listener;

  /** The queues that this process works on. */
  private final List<QueueRunner> runners = new CopyOnWriteArrayList<>();

  Enqueuer(
      JobTransactions transactions,
      TransactionRunner work,
      QueueNotifier notifier,
      PayloadProtection protection,
      JobListener listener) {
    this.transactions = transactions;
    this.work = work;
    this.notifier = notifier;
    this.protection = protection;
    this.listener = listener;
  }

  void addRunners(List<QueueRunner> added) {
    runners.addAll(added);
  }

  void removeRunners(List<QueueRunner> removed) {
    runners.removeAll(removed);
  }

  /** Enqueues {@code jobs} in a transaction of whose commit nothing is reported. */
  List<EnqueueResult> enqueueAll(Connection connection, List<Job> jobs) {
    return enqueueAll(connection, jobs, EagerStart.none());
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

  List<EnqueueResult> enqueueAll(List<Job> jobs) {
    Limits.range("jobs", jobs.size(), 1, Jobs.MAX_BATCH_SIZE);
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

  <T extends @Nullable Object> T enqueueWith(String what, Jobs.Decision<T> decision) {
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

  <T extends @Nullable Object> T enqueueWith(
      Connection connection, String what, Jobs.Decision<T> decision) {
    return new DecidedJobs().enqueue(connection, what, decision, false);
  }

  private List<EnqueueResult> execute(Connection connection, List<Job> jobs, EagerStart eager)
      throws SQLException {
    Limits.range("jobs", jobs.size(), 1, Jobs.MAX_BATCH_SIZE);
    eager.repeat();
    return new EnqueueStatement(protection).execute(connection, jobs, eager);
  }

  /** Wakes workers for the jobs that are left to them. */
  void wake(List<Job> jobs, EagerStart eager) {
    IntStream.range(0, jobs.size())
        .filter(place -> !eager.isLeased(place))
        .mapToObj(jobs::get)
        .map(job -> job.isDue() ? job.key().queue() : QueueNotifier.LATER)
        .distinct()
        .forEach(notifier::notifyQueue);
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

  /** The jobs of a decision. Used by one thread, and then by the one that commits. */
  private final class DecidedJobs {
    private final List<Job> jobs = new ArrayList<>();
    private final List<EnqueueResult> results = new ArrayList<>();
    private EagerStart eager = EagerStart.none();

    /**
     * @param hearsOfCommit whether {@link #start} is called after the commit
     */
    <T extends @Nullable Object> T enqueue(
        Connection connection, String what, Jobs.Decision<T> decision, boolean hearsOfCommit) {
      try {
        T result = enqueue(connection, decision, hearsOfCommit);
        report();
        return result;
      } catch (SQLException e) {
        throw new StoreException(what + " failed: " + SqlStates.messageOf(e), e);
      }
    }

    <T extends @Nullable Object> T enqueue(
        Connection connection, Jobs.Decision<T> decision, boolean hearsOfCommit)
        throws SQLException {
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
      Enqueuer.this.report(jobs, results);
    }

    void start(boolean isCertain) {
      eager.start(isCertain);
      wake(jobs, eager);
    }
  }
}
