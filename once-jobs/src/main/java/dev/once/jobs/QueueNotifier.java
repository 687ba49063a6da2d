package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.internal.Threads;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notifies workers that a queue has new jobs: those of this process directly, those of other
 * processes by a NOTIFY in a transaction of its own, never in the caller's: NOTIFY serializes all
 * commits of the database. However many jobs are enqueued, there is at most one NOTIFY per queue in
 * {@link #GAP}. It names the sender, whose own workers are awake already.
 */
final class QueueNotifier implements AutoCloseable {
  static final String CHANNEL = "once_jobs";

  /** In place of a queue's name, which cannot have this character: a job is due later. */
  static final String LATER = ":";

  private static final char SEPARATOR = '/'; // No queue's name has it.

  private static final Duration GAP = Duration.ofMillis(10);

  /** Jobs that are due within this time share a timer. */
  private static final Duration DUE_STEP = Duration.ofMillis(100);

  /** Workers learn of later jobs from their polls. */
  private static final Duration MAX_DUE = Workers.Builder.MAX_POLL_INTERVAL;

  private final String sender = UUID.randomUUID().toString();
  private final TransactionRunner work;
  private final boolean notifies;
  private final JobListener listener;
  private final List<Consumer<String>> localCallbacks = new CopyOnWriteArrayList<>();
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final Map<Long, Future<?>> dueTimers = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor thread = Threads.scheduled(1, "once-jobs-notify");

  // Used only on the notifier's thread.
  private long lastNanos = System.nanoTime() - GAP.toNanos();

  QueueNotifier(TransactionRunner work, boolean notifies, JobListener listener) {
    this.work = work;
    this.notifies = notifies;
    this.listener = listener;
    thread.setRemoveOnCancelPolicy(true);
  }

  /** Calls {@code callback} with every queue that has new jobs because of this process. */
  void addListener(Consumer<String> callback) {
    localCallbacks.add(callback);
  }

  void removeListener(Consumer<String> callback) {
    localCallbacks.remove(callback);
  }

  void notifyQueue(String queue) {
    localCallbacks.forEach(it -> it.accept(queue));
    if (notifies && pending.add(queue)) {
      try {
        thread.execute(this::send);
      } catch (RejectedExecutionException e) {
        pending.remove(queue); // Closed: other processes find the jobs by polling.
      }
    }
  }

  /**
   * Notifies the workers of all processes that a job is due later, perhaps before the next poll.
   */
  void notifyLater() {
    notifyQueue(LATER);
  }

  /**
   * Does the same when a job is due that is enqueued in a transaction of the caller: workers cannot
   * see it before the commit, and this process does not see the commit.
   */
  void notifyWhenDue(Duration delay) {
    if (delay.isNegative() || delay.isZero() || delay.compareTo(MAX_DUE) > 0) {
      return;
    }
    long now = System.nanoTime();
    long step = DUE_STEP.toNanos();
    long place = Math.floorDiv(now + delay.toNanos(), step) + 1;
    try {
      dueTimers.computeIfAbsent(
          place,
          it -> thread.schedule(() -> notifyDue(it), place * step - now, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException e) {
      // Closed: workers find the job by polling.
    }
  }

  private void notifyDue(long place) {
    dueTimers.remove(place);
    notifyLater();
  }

  /** Returns the queue that a notification names, unless this process has sent it. */
  Optional<String> received(String notification) {
    int end = notification.indexOf(SEPARATOR);
    String from = notification.substring(end + 1);
    return from.equals(sender)
        ? Optional.empty()
        : Optional.of(end < 0 ? notification : notification.substring(0, end));
  }

  @Override
  public void close() {
    dueTimers.values().forEach(it -> it.cancel(false));
    thread.shutdown();
  }

  private void send() {
    if (pending.isEmpty()) {
      return;
    }
    long wait = lastNanos + GAP.toNanos() - System.nanoTime();
    if (wait > 0) {
      var unused = thread.schedule(this::send, wait, TimeUnit.NANOSECONDS);
      return;
    }
    lastNanos = System.nanoTime();
    List<String> queues = List.copyOf(pending);
    queues.forEach(pending::remove);
    try {
      work.run(
          "notifying workers",
          connection -> {
            String sql = "SELECT pg_notify('" + CHANNEL + "', q || ?) FROM unnest(?) q";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
              statement.setString(1, SEPARATOR + sender);
              statement.setArray(2, connection.createArrayOf("text", queues.toArray()));
              return statement.execute();
            }
          });
    } catch (StoreException e) { // Other processes find the jobs by polling.
      listener.on(new JobEvent.Trouble("notifying the workers of other processes", e));
    }
  }
}
