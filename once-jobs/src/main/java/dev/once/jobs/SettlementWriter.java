package dev.once.jobs;

import dev.once.jdbc.spi.TransactionRunner;
import dev.once.jobs.CompleteStatement.Finished;
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
  private static final Duration LAST_TRIES = Duration.ofSeconds(5);

  /** The class of SQL states for values that the database does not accept. */
  private static final String DATA_EXCEPTION = "22";

  private final TransactionRunner work;
  private final Duration retention;
  private final JobListener listener;
  private final QueueNotifier notifier;
  private final BlockingQueue<Settlement> ends = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::writeUntilClosed, "once-jobs-endings");
  private volatile boolean closing;

  SettlementWriter(TransactionRunner work, Duration retention, JobListener listener, QueueNotifier notifier) {
    this.work = work;
    this.retention = retention;
    this.listener = listener;
    this.notifier = notifier;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void add(Settlement end) {
    end.jobLease().settle();
    ends.add(end);
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
      listener.on(new JobEvent.LeaseLost(jobLease.job().key(), jobLease.job().id(), jobLease.job().fence()));
    }
  }

  /** Writes the remaining settlements, and stops. */
  void close() throws InterruptedException {
    closeSoon();
    thread.join(LAST_TRIES.toMillis());
    thread.interrupt();
    thread.join(LAST_TRIES.toMillis()); // A broken network may take longer.
  }

  /** Does the same without waiting for it. */
  void closeSoon() {
    closing = true;
  }

  private void writeUntilClosed() {
    List<Settlement> batch = new ArrayList<>();
    try {
      while (!closing || !batch.isEmpty() || !ends.isEmpty()) {
        if (batch.isEmpty()) {
          Settlement first = ends.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
          if (first == null) {
            continue;
          }
          batch.add(first);
          ends.drainTo(batch, MAX_BATCH_SIZE);
        }
        write(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes {@code batch}, and removes from it what was written. */
  private void write(List<Settlement> batch) throws InterruptedException {
    try {
      write(batch, Settlement.Done.class, this::complete, end -> completed(end.jobLease(), end.took()));
      write(batch, Settlement.Again.class, this::again, this::tell);
      write(batch, Settlement.Dead.class, this::bury, this::tell);
    } catch (RuntimeException | Error e) {
      // Catch everything: without this thread, leases would be renewed forever and jobs never
      // settled.
      listener.on(JobEvent.Trouble.of("settling jobs", e));
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
    for (Settlement end : List.copyOf(batch)) {
      List<Settlement> one = new ArrayList<>(List.of(end));
      write(one);
      if (one.isEmpty()) {
        batch.remove(end);
      }
    }
  }

  private static boolean isUnwritable(Throwable failure) {
    return failure.getCause() instanceof SQLException e
        && String.valueOf(e.getSQLState()).startsWith(DATA_EXCEPTION);
  }

  /** Writes the settlements of one kind, and reports each of them. */
  private <E extends Settlement> void write(
      List<Settlement> batch, Class<E> kind, Function<List<E>, Set<Long>> write, Consumer<E> tell) {
    List<E> ends = batch.stream().filter(kind::isInstance).map(kind::cast).toList();
    if (ends.isEmpty()) {
      return;
    }
    Set<Long> written = write.apply(ends);
    batch.removeAll(new HashSet<>(ends));
    for (E end : ends) {
      if (written.contains(end.jobLease().job().id())) {
        tell.accept(end);
      } else {
        lost(end.jobLease()); // Or an earlier call wrote it, but its answer was lost.
      }
    }
  }

  private Set<Long> complete(List<Settlement.Done> ends) {
    List<ClaimedJob> jobs = ends.stream().map(end -> end.jobLease().job()).toList();
    Finished finished =
        work.run("completing jobs", it -> CompleteStatement.execute(it, jobs, retention));
    if (finished.hasFollower()) {
      ends.forEach(end -> end.jobLease().runner().wake());
    }
    return finished.ids();
  }

  private Set<Long> again(List<Settlement.Again> ends) {
    return work.run("rescheduling jobs", it -> RescheduleStatement.execute(it, ends));
  }

  private Set<Long> bury(List<Settlement.Dead> ends) {
    return work.run("dead-lettering jobs", it -> DeadLetterStatement.execute(it, ends));
  }

  private void tell(Settlement.Again end) {
    ClaimedJob job = end.jobLease().job();
    end.jobLease().runner().letGo(end.jobLease());
    if (end.delay().isZero()) {
      notifier.ring(job.key().queue());
    }
    String reason = end.why().reason();
    listener.on(
        end.counted()
            ? new JobEvent.Failed(job.key(), job.id(), job.attempt(), end.delay(), reason)
            : new JobEvent.Returned(job.key(), job.id(), end.delay(), reason));
  }

  private void tell(Settlement.Dead end) {
    ClaimedJob job = end.jobLease().job();
    end.jobLease().runner().ended(end.jobLease());
    listener.on(new JobEvent.Died(job.key(), job.id(), job.attempt(), end.why().reason()));
  }
}
