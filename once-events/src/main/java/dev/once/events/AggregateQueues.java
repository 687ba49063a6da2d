package dev.once.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pending events of a consumer, in one queue per aggregate. While events of an aggregate are
 * taken, its others wait, so that the order is kept; a delay holds up its aggregate only.
 * Thread-safe.
 */
final class AggregateQueues {
  /** The most events of one aggregate that are taken together: other aggregates have to wait. */
  private static final int MAX_PER_AGGREGATE = 64;

  /**
   * The most events that are taken at any time: those of a crashed consumer wait for its leases.
   */
  static final int MAX_TAKEN = 512;

  /** How long an event waits that is taken already, delivered for another aggregate. */
  private static final Duration SAME_ID_DELAY = Duration.ofMillis(100);

  private static final Comparator<PendingEvent> BY_SEQUENCE =
      Comparator.<PendingEvent>comparingLong(it -> it.event().sequence())
          .thenComparingLong(PendingEvent::number);

  private final int maxPending;
  private final long maxPendingBytes;
  private final LongSupplier nanoTime;

  // Guarded by this.
  private final Map<Aggregate, Queue> queues = new HashMap<>();
  private final NavigableSet<Queue> schedule = new TreeSet<>(Queue::compareDue);
  private final Set<PendingEvent> pending = new LinkedHashSet<>();
  private final Set<String> takenIds = new HashSet<>();
  private long pendingBytes;
  private boolean closed;

  /**
   * @param nanoTime the clock by which delays end
   */
  AggregateQueues(int maxPending, long maxPendingBytes, LongSupplier nanoTime) {
    this.maxPending = maxPending;
    this.maxPendingBytes = maxPendingBytes;
    this.nanoTime = nanoTime;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** The events of one aggregate. Guarded by the queues. */
  private static final class Queue {
    private final NavigableSet<PendingEvent> waiting = new TreeSet<>(BY_SEQUENCE);
    private final long number;
    private int taken;
    private long dueNanos;

    Queue(long number) {
      this.number = number;
    }

    int compareDue(Queue other) {
      int byTime = Long.signum(dueNanos - other.dueNanos);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }

    /** The first of the waiting events decides when the queue is due. */
    boolean isFirst(PendingEvent event) {
      return waiting.first() == event;
    }
  }

  /**
   * Adds events.
   *
   * @throws RejectedExecutionException if too many are pending, or this is closed
   */
  synchronized void add(List<PendingEvent> events) {
    if (closed) {
      throw new RejectedExecutionException("the consumer is closed");
    }
    if (pending.size() + events.size() > maxPending) {
      throw new RejectedExecutionException(
          "more than %d events are pending: submit more when some are settled"
              .formatted(maxPending));
    }
    long bytes = events.stream().mapToLong(PendingEvent::dataBytes).sum();
    if (pendingBytes + bytes > maxPendingBytes) {
      throw new RejectedExecutionException(
          "the data of pending events would have more than %d bytes: submit more when some are settled"
              .formatted(maxPendingBytes));
    }
    pendingBytes += bytes;
    long now = nanoTime();
    for (PendingEvent event : events) {
      pending.add(event);
      Queue queue =
          queues.computeIfAbsent(event.event().aggregate(), it -> new Queue(event.number()));
      queue.waiting.add(event);
      // It may be the one for which the others wait.
      if (queue.taken == 0 && queue.isFirst(event)) {
        schedule(queue, now);
      }
    }
    notifyAll();
  }

  /**
   * Waits until events are due and takes up to {@code max} of them: those of one aggregate in the
   * order of their sequences, up to an id that is taken already. Returns an empty list after {@link
   * #close}.
   */
  synchronized List<PendingEvent> take(int max) throws InterruptedException {
    List<PendingEvent> taken = takeDue(max);
    while (taken.isEmpty() && !closed) {
      Queue next = first();
      if (next == null || takenIds.size() >= MAX_TAKEN) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, next.dueNanos - nanoTime()));
      }
      taken = takeDue(max);
    }
    return taken;
  }

  /** Takes events as {@link #take} does, without waiting; none if none are due. */
  synchronized List<PendingEvent> takeDue(int max) {
    int free = closed ? 0 : Math.min(max, MAX_TAKEN - takenIds.size());
    // As large as it can become: an event that is taken must not be lost for want of memory.
    List<PendingEvent> taken = new ArrayList<>(Math.max(0, free));
    long now = nanoTime();
    Queue next = first();
    while (next != null && next.dueNanos - now <= 0 && taken.size() < free) {
      schedule.remove(next);
      takeFrom(next, free - taken.size(), taken);
      if (next.taken == 0) {
        schedule(next, now + SAME_ID_DELAY.toNanos());
      }
      next = first();
    }
    return taken;
  }

  private @Nullable Queue first() {
    return schedule.isEmpty() ? null : schedule.first();
  }

  private void takeFrom(Queue queue, int max, List<PendingEvent> into) {
    Iterator<PendingEvent> waiting = queue.waiting.iterator();
    while (waiting.hasNext() && queue.taken < Math.min(max, MAX_PER_AGGREGATE)) {
      PendingEvent event = waiting.next();
      if (!takenIds.add(event.event().id())) {
        // Later events wait for it too: the one that was taken first may have been withdrawn, and
        // then they would be handled before this one.
        return;
      }
      waiting.remove();
      queue.taken++;
      into.add(event);
    }
  }

  /** Returns a taken event to its queue, which is due after {@code delay} if the event is first. */
  synchronized void giveBack(PendingEvent event, Duration delay) {
    Queue queue = queueOf(event);
    queue.waiting.add(event);
    if (queue.isFirst(event)) {
      queue.dueNanos = nanoTime() + delay.toNanos();
    }
    ended(queue, event);
  }

  /** Removes a taken event, which is settled. */
  synchronized void remove(PendingEvent event) {
    pending.remove(event);
    pendingBytes -= event.dataBytes();
    ended(queueOf(event), event);
  }

  /** Notes that the sink has a taken event, whose data is dropped. */
  synchronized void deadLettered(PendingEvent event) {
    pendingBytes -= event.dataBytes();
    event.deadLettered();
  }

  private void ended(Queue queue, PendingEvent event) {
    takenIds.remove(event.event().id());
    queue.taken--;
    if (queue.taken == 0) {
      if (queue.waiting.isEmpty()) {
        queues.remove(event.event().aggregate());
      } else {
        schedule(queue, queue.dueNanos);
      }
    }
    notifyAll();
  }

  private void schedule(Queue queue, long dueNanos) {
    schedule.remove(queue);
    queue.dueNanos = dueNanos;
    schedule.add(queue);
  }

  private Queue queueOf(PendingEvent event) {
    Queue queue = queues.get(event.event().aggregate());
    if (queue == null) {
      throw new AssertionError("the queue of a taken event is missing: " + event.event());
    }
    return queue;
  }

  /** Returns the events that are not removed. */
  synchronized List<PendingEvent> pending() {
    return List.copyOf(pending);
  }

  synchronized int size() {
    return pending.size();
  }

  synchronized boolean isHalfFull() {
    return pending.size() > maxPending / 2 || pendingBytes > maxPendingBytes / 2;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Ends {@link #take}; nothing more is added. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Waits for {@code time}, or until this is closed. */
  synchronized void awaitClosed(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !closed; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
