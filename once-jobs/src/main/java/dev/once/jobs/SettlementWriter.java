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
 * Tells the database what became of jobs. Whatever has come together since the last time goes in
 * one statement; nobody waits for more to come. While the database cannot be reached, endings wait
 * here: their number is limited by what may be in hand. The fence decides whether they still count
 * when they arrive.
 */
final class SettlementWriter {
  private static final int MAX_BATCH_SIZE = 2000;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LAST_TRIES = Duration.ofSeconds(5);

  /** The SQL states for values that cannot be what they should be. */
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

  /** The job was finished in its handler's own transaction. */
  void completed(JobLease jobLease, Duration took) {
    jobLease.settle();
    jobLease.runner().ended(jobLease);
    ClaimedJob job = jobLease.job();
    listener.on(new JobEvent.Completed(job.key(), job.id(), job.attempt(), job.fence(), took));
  }

  /** The job is somebody else's. */
  void lost(JobLease jobLease) {
    boolean isKnown = jobLease.isLost();
    jobLease.lose();
    jobLease.runner().ended(jobLease);
    if (!isKnown) {
      listener.on(new JobEvent.LeaseLost(jobLease.job().key(), jobLease.job().id(), jobLease.job().fence()));
    }
  }

  /** Writes what is there, and ends. */
  void close() throws InterruptedException {
    closeSoon();
    thread.join(LAST_TRIES.toMillis());
    thread.interrupt();
    thread.join(LAST_TRIES.toMillis()); // A dead network may take longer.
  }

  /** The same without waiting for it. */
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

  /** Removes from {@code batch} what the database has taken note of. */
  private void write(List<Settlement> batch) throws InterruptedException {
    try {
      write(batch, Settlement.Done.class, this::complete, end -> completed(end.jobLease(), end.took()));
      write(batch, Settlement.Again.class, this::again, this::tell);
      write(batch, Settlement.Dead.class, this::bury, this::tell);
    } catch (RuntimeException | Error e) {
      // Whatever it is: without this thread, jobs would be renewed for ever and never finished.
      listener.on(JobEvent.Trouble.of("writing down what became of jobs", e));
      if (isUnwritable(e)) {
        writeEach(batch);
      } else {
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * One of them cannot be written, such as a reason with letters that the database's encoding does
   * not know, and would keep all others waiting for ever. It is let go: when its lease has run out,
   * somebody tries again.
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

  /** Writes down those of one kind, and tells what became of each. */
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
        lost(end.jobLease()); // Or an earlier try wrote it, whose answer did not arrive.
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
    return work.run("putting jobs back", it -> RescheduleStatement.execute(it, ends));
  }

  private Set<Long> bury(List<Settlement.Dead> ends) {
    return work.run("burying jobs", it -> DeadLetterStatement.execute(it, ends));
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
