package dev.once.jobs;

import dev.once.jdbc.spi.Work;
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
final class Endings {
  private static final int MAX_TOGETHER = 2000;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LAST_TRIES = Duration.ofSeconds(5);

  /** The SQL states for values that cannot be what they should be. */
  private static final String DATA_EXCEPTION = "22";

  private final Work work;
  private final Duration retention;
  private final JobListener listener;
  private final Bell bell;
  private final BlockingQueue<Ending> ends = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::writeUntilClosed, "once-jobs-endings");
  private volatile boolean closing;

  Endings(Work work, Duration retention, JobListener listener, Bell bell) {
    this.work = work;
    this.retention = retention;
    this.listener = listener;
    this.bell = bell;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void add(Ending end) {
    end.hold().settle();
    ends.add(end);
  }

  /** The job was finished in its handler's own transaction. */
  void completed(Hold hold, Duration took) {
    hold.settle();
    hold.runner().ended(hold);
    ClaimedJob job = hold.job();
    listener.on(new JobEvent.Completed(job.key(), job.id(), job.attempt(), job.fence(), took));
  }

  /** The job is somebody else's. */
  void lost(Hold hold) {
    boolean isKnown = hold.isLost();
    hold.lose();
    hold.runner().ended(hold);
    if (!isKnown) {
      listener.on(new JobEvent.LeaseLost(hold.job().key(), hold.job().id(), hold.job().fence()));
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
    List<Ending> batch = new ArrayList<>();
    try {
      while (!closing || !batch.isEmpty() || !ends.isEmpty()) {
        if (batch.isEmpty()) {
          Ending first = ends.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
          if (first == null) {
            continue;
          }
          batch.add(first);
          ends.drainTo(batch, MAX_TOGETHER);
        }
        write(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes from {@code batch} what the database has taken note of. */
  private void write(List<Ending> batch) throws InterruptedException {
    try {
      write(batch, Ending.Done.class, this::complete, end -> completed(end.hold(), end.took()));
      write(batch, Ending.Again.class, this::again, this::tell);
      write(batch, Ending.Dead.class, this::bury, this::tell);
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
  private void writeEach(List<Ending> batch) throws InterruptedException {
    if (batch.size() == 1) {
      lost(batch.remove(0).hold());
      return;
    }
    for (Ending end : List.copyOf(batch)) {
      List<Ending> one = new ArrayList<>(List.of(end));
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
  private <E extends Ending> void write(
      List<Ending> batch, Class<E> kind, Function<List<E>, Set<Long>> write, Consumer<E> tell) {
    List<E> ends = batch.stream().filter(kind::isInstance).map(kind::cast).toList();
    if (ends.isEmpty()) {
      return;
    }
    Set<Long> written = write.apply(ends);
    batch.removeAll(new HashSet<>(ends));
    for (E end : ends) {
      if (written.contains(end.hold().job().id())) {
        tell.accept(end);
      } else {
        lost(end.hold()); // Or an earlier try wrote it, whose answer did not arrive.
      }
    }
  }

  private Set<Long> complete(List<Ending.Done> ends) {
    List<ClaimedJob> jobs = ends.stream().map(end -> end.hold().job()).toList();
    Finished finished =
        work.run("completing jobs", it -> CompleteStatement.execute(it, jobs, retention));
    if (finished.hasFollower()) {
      ends.forEach(end -> end.hold().runner().wake());
    }
    return finished.ids();
  }

  private Set<Long> again(List<Ending.Again> ends) {
    return work.run("putting jobs back", it -> AgainStatement.execute(it, ends));
  }

  private Set<Long> bury(List<Ending.Dead> ends) {
    return work.run("burying jobs", it -> BuryStatement.execute(it, ends));
  }

  private void tell(Ending.Again end) {
    ClaimedJob job = end.hold().job();
    end.hold().runner().letGo(end.hold());
    if (end.delay().isZero()) {
      bell.ring(job.key().queue());
    }
    String reason = end.why().reason();
    listener.on(
        end.counted()
            ? new JobEvent.Failed(job.key(), job.id(), job.attempt(), end.delay(), reason)
            : new JobEvent.Returned(job.key(), job.id(), end.delay(), reason));
  }

  private void tell(Ending.Dead end) {
    ClaimedJob job = end.hold().job();
    end.hold().runner().ended(end.hold());
    listener.on(new JobEvent.Died(job.key(), job.id(), job.attempt(), end.why().reason()));
  }
}
