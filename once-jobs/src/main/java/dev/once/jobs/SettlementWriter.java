package dev.once.jobs;

import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.CompleteStatement.CompleteResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes settlements to the database. All settlements of one kind that were added since the last
 * write go in one statement, without waiting for more. While the database cannot be reached,
 * settlements wait here: their number is limited by the jobs that this process may hold. The fence
 * decides whether they still take effect when they are written.
 */
final class SettlementWriter {
  private static final int MAX_BATCH_SIZE = 2000;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** The class of SQL states for values that the database does not accept. */
  private static final String DATA_EXCEPTION = "22";

  private final TransactionRunner work;
  private final PayloadProtection protection;
  private final Retentions retentions;
  private final JobListener listener;
  private final QueueNotifier notifier;
  private final BlockingQueue<Settlement> settlements;
  private final SupervisedThread thread;
  private volatile boolean closing;

  // Used only on the writing thread. What could not be written stays here.
  private final List<Settlement> batch = new ArrayList<>();

  SettlementWriter(
      TransactionRunner work,
      PayloadProtection protection,
      Retentions retentions,
      JobListener listener,
      QueueNotifier notifier) {
    this(work, protection, retentions, listener, notifier, new LinkedBlockingQueue<>());
  }

  SettlementWriter(
      TransactionRunner work,
      PayloadProtection protection,
      Retentions retentions,
      JobListener listener,
      QueueNotifier notifier,
      BlockingQueue<Settlement> settlements) {
    this.work = work;
    this.protection = protection;
    this.retentions = retentions;
    this.listener = listener;
    this.notifier = notifier;
    this.settlements = settlements;
    this.thread =
        new SupervisedThread(
            "once-jobs-settle", "settling jobs", this::writeUntilClosed, () -> false, listener);
  }

  void start() {
    thread.start();
  }

  void add(Settlement settlement) {
    settlement.jobLease().settle();
    try {
      settlements.add(settlement);
    } catch (Error e) { // No memory: unsettled, its lease expires, and the job is rescued.
      settlement.jobLease().unsettle();
      throw e;
    }
  }

  /** Reports a job that was completed in its handler's own transaction. */
  void completed(JobLease jobLease, Duration took) {
    jobLease.settle();
    jobLease.runner().ended(jobLease);
    ClaimedJob job = jobLease.job();
    listener.on(new JobEvent.Completed(job.key(), job.id(), job.attempt(), job.fence(), took));
  }

  /** Stops tracking a job whose lease was lost, and reports it unless it was reported before. */
  void lost(JobLease jobLease) {
    boolean isKnown = jobLease.isLost();
    jobLease.lose();
    jobLease.runner().ended(jobLease);
    if (!isKnown) {
      listener.on(
          new JobEvent.LeaseLost(
              jobLease.job().key(), jobLease.job().id(), jobLease.job().fence()));
    }
  }

  /** Writes the remaining settlements, and stops. */
  void close() throws InterruptedException {
    requestClose();
    thread.join(CLOSE_TIMEOUT);
    thread.interrupt();
    thread.join(CLOSE_TIMEOUT); // A broken network may take longer.
  }

  /** Does the same without waiting for it. */
  void requestClose() {
    closing = true;
  }

  private void writeUntilClosed() throws InterruptedException {
    while (!closing || !batch.isEmpty() || !settlements.isEmpty()) {
      if (batch.isEmpty()) {
        Settlement first = settlements.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        batch.add(first);
        settlements.drainTo(batch, MAX_BATCH_SIZE);
      }
      write(batch);
    }
  }

  /** Writes {@code batch}, and removes from it what was written. */
  private void write(List<Settlement> batch) throws InterruptedException {
    try {
      List<Settlement.Done> done = new ArrayList<>();
      List<Settlement.Reschedule> rescheduled = new ArrayList<>();
      List<Settlement.Dead> dead = new ArrayList<>();
      batch.forEach(it -> it.accept(done::add, rescheduled::add, dead::add));
      write(batch, done, this::complete, it -> completed(it.jobLease(), it.took()));
      write(batch, rescheduled, this::reschedule, this::report);
      write(batch, dead, this::deadLetter, this::report);
    } catch (RuntimeException | Error e) {
      // Catch everything: without this thread, leases would be renewed forever and jobs never
      // settled.
      SupervisedThread.report(listener, "settling jobs", e);
      if (isUnwritable(e)) {
        writeEach(batch);
      } else {
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * Writes each settlement alone, because one of them cannot be written, such as a reason with
   * characters that the database's encoding does not have, and would block all others forever. That
   * one is dropped: its job runs again when the lease has expired.
   */
  private void writeEach(List<Settlement> batch) throws InterruptedException {
    if (batch.size() == 1) {
      lost(batch.remove(0).jobLease());
      return;
    }
    for (Settlement settlement : List.copyOf(batch)) {
      List<Settlement> one = new ArrayList<>(List.of(settlement));
      write(one);
      if (one.isEmpty()) {
        batch.remove(settlement);
      }
    }
  }

  private static boolean isUnwritable(Throwable failure) {
    return failure.getCause() instanceof SQLException e
        && String.valueOf(e.getSQLState()).startsWith(DATA_EXCEPTION);
  }

  /** Writes the settlements of one kind, removes them from {@code batch}, and reports each. */
  private <E extends Settlement> void write(
      List<Settlement> batch,
      List<E> settlements,
      Function<List<E>, Set<Long>> write,
      Consumer<E> report) {
    if (settlements.isEmpty()) {
      return;
    }
    Set<Long> written = write.apply(settlements);
    batch.removeAll(new HashSet<>(settlements));
    for (E settlement : settlements) {
      if (written.contains(settlement.jobLease().job().id())) {
        report.accept(settlement);
      } else {
        lost(settlement.jobLease()); // Or an earlier call wrote it, but its answer was lost.
      }
    }
  }

  private Set<Long> complete(List<Settlement.Done> settlements) {
    List<ClaimedJob> jobs =
        settlements.stream().map(settlement -> settlement.jobLease().job()).toList();
    CompleteResult finished =
        work.run("completing jobs", it -> CompleteStatement.execute(it, jobs, retentions.keys()));
    if (finished.hasUnblocked()) {
      settlements.forEach(settlement -> settlement.jobLease().runner().wake());
    }
    return finished.ids();
  }

  private Set<Long> reschedule(List<Settlement.Reschedule> settlements) {
    RescheduleStatement statement = new RescheduleStatement(protection);
    return work.run("rescheduling jobs", it -> statement.execute(it, settlements));
  }

  private Set<Long> deadLetter(List<Settlement.Dead> settlements) {
    DeadLetterStatement statement = new DeadLetterStatement(protection, retentions);
    return work.run("dead-lettering jobs", it -> statement.execute(it, settlements));
  }

  private void report(Settlement.Reschedule settlement) {
    ClaimedJob job = settlement.jobLease().job();
    settlement.jobLease().runner().untrack(settlement.jobLease());
    if (settlement.delay().isZero()) {
      notifier.notifyQueue(job.key().queue());
    } else {
      notifier.notifyLater();
    }
    String reason = settlement.why().reason();
    listener.on(
        settlement.counted()
            ? new JobEvent.Failed(job.key(), job.id(), job.attempt(), settlement.delay(), reason)
            : new JobEvent.Returned(job.key(), job.id(), settlement.delay(), reason));
  }

  private void report(Settlement.Dead settlement) {
    ClaimedJob job = settlement.jobLease().job();
    settlement.jobLease().runner().ended(settlement.jobLease());
    listener.on(
        new JobEvent.Died(job.key(), job.id(), settlement.attempts(), settlement.why().reason()));
  }
}
