package dev.once.jdbc.spi;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls share statements and commits, without a timer. Who finds a lane free goes
 * at once, alone if nobody else is there; who comes while all lanes are busy waits in the queue,
 * and the next to find a lane takes everybody along. So a lone call pays nothing, and the more
 * calls there are, the more of them share a trip to the database.
 *
 * <p>The queue is first come, first served. Threads drive in turn: nobody drives a second time for
 * others while its own answer is there. A trip that the database refused and undid is made again by
 * each of its riders alone, so one of them cannot spoil it for the others.
 */
public final class Line<I, O> {
  /**
   * Trips at a time. With one, callers wait for a disk that could serve two; with many, there is
   * nobody left to ride along. Of 1 to 3 lanes measured with 4 to 64 callers, two were as fast as
   * three, within the noise of a busy machine, and the server was less busy.
   */
  public static final int LANES = 2;

  /** More riders make a trip hardly cheaper for each, but hold everybody's locks for longer. */
  static final int MAX_RIDERS = 64;

  /** Calls that wait beyond this number are refused: the database is not keeping up. */
  private static final int MAX_WAITING = 10_000;

  /** The order in which everybody goes through several keys, so that no two wait in a circle. */
  public static final Comparator<Key> BY_KEY =
      Comparator.comparing(Key::tenant).thenComparing(Key::scope).thenComparing(Key::value);

  private final Queue<Rider> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Semaphore lanes = new Semaphore(LANES);
  private final Function<I, O> alone;
  private final Function<List<I>, List<Supplier<O>>> together;
  private final Comparator<Rider> order;
  private final int maxWaiting;

  /**
   * A line to the database.
   *
   * @param alone does one item
   * @param together does several, and returns their answers in the same order: each its own, so
   *     that one that cannot be read does not keep the others from being told
   * @param key what is worked on. Trips go through their keys in the same order on every node, so
   *     that two of them that meet on several rows never wait for each other in a circle
   */
  public Line(
      Function<I, O> alone, Function<List<I>, List<Supplier<O>>> together, Function<I, Key> key) {
    this(alone, together, key, MAX_WAITING);
  }

  Line(
      Function<I, O> alone,
      Function<List<I>, List<Supplier<O>>> together,
      Function<I, Key> key,
      int maxWaiting) {
    this.alone = alone;
    this.together = together;
    this.order = Comparator.comparing(rider -> key.apply(rider.item), BY_KEY);
    this.maxWaiting = maxWaiting;
  }

  /** Has {@code item} done, with others if there are any, and returns its own answer. */
  public O ride(I item) {
    if (waiting.incrementAndGet() > maxWaiting) {
      waiting.decrementAndGet();
      throw new StoreException(
          "more than " + maxWaiting + " calls wait for the database: try again later", null);
    }
    Rider rider = new Rider(item);
    queue.add(rider);
    return arrivalOf(rider).get();
  }

  /** How many calls are in the queue. */
  int waiting() {
    return waiting.get();
  }

  int freeLanes() {
    return lanes.availablePermits();
  }

  /** An interrupt does not end the wait: the trip may be on its way, and its answer matters. */
  private Supplier<O> arrivalOf(Rider rider) {
    boolean interrupted = false;
    Supplier<O> answer = rider.answer;
    while (answer == null) {
      // With nobody in the queue our item is on its way, and there is nothing to do but to wait. To
      // look for it again and again would keep the processor from whoever brings the answer: with
      // as many of us as there are processors, virtual threads would wait for ever.
      if (!queue.isEmpty() && lanes.tryAcquire()) {
        try {
          drive();
        } finally {
          lanes.release();
          wakeNext();
        }
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      answer = rider.answer;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return answer;
  }

  /** Takes along who is in the queue: usually, but not always, the driver is among them. */
  private void drive() {
    List<Rider> riders = new ArrayList<>();
    Rider next = queue.poll();
    while (next != null) {
      riders.add(next);
      next = riders.size() < MAX_RIDERS ? queue.poll() : null;
    }
    waiting.addAndGet(-riders.size());
    if (riders.size() == 1) {
      rideAlone(riders.get(0));
    } else if (!riders.isEmpty()) {
      rideTogether(riders);
    }
  }

  private void rideAlone(Rider rider) {
    try {
      O answer = alone.apply(rider.item);
      rider.arrive(() -> answer);
    } catch (Throwable e) { // Whatever it is, nobody may be left waiting.
      rider.arrive(rider.failing(e));
    }
  }

  private void rideTogether(List<Rider> riders) {
    riders.sort(order);
    try {
      List<Supplier<O>> answers = together.apply(riders.stream().map(it -> it.item).toList());
      for (int i = 0; i < riders.size(); i++) {
        riders.get(i).arrive(answers.get(i));
      }
    } catch (Throwable e) { // Whatever it is, nobody may be left waiting.
      boolean undone = SqlStates.isUndone(e.getCause());
      for (Rider rider : riders) {
        rider.arrive(undone ? () -> alone.apply(rider.item) : rider.failing(e));
      }
    }
  }

  /** Called after a lane became free, so that who waits and did not get it gets it now. */
  private void wakeNext() {
    Rider next = queue.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /** A call on its way. */
  private final class Rider {
    private final I item;
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable Supplier<O> answer;

    Rider(I item) {
      this.item = item;
    }

    /**
     * Throws the failure itself, or, to another thread than the one it happened on, one like it.
     * What is wrong with an outcome is told as it is: it is about the record, not about the trip.
     */
    Supplier<O> failing(Throwable failure) {
      boolean asItIs =
          thread.equals(Thread.currentThread()) || failure instanceof UnreadableOutcomeException;
      return () -> {
        if (asItIs && failure instanceof RuntimeException e) {
          throw e;
        }
        throw new StoreException(String.valueOf(failure.getMessage()), failure);
      };
    }

    void arrive(Supplier<O> answer) {
      this.answer = answer;
      if (!thread.equals(Thread.currentThread())) {
        LockSupport.unpark(thread);
      }
    }
  }
}
