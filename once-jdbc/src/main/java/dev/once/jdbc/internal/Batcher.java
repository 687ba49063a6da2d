package dev.once.jdbc.internal;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.spi.DeferredInterrupt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends concurrent calls to the database in batches, which share statements and commits. There is
 * no timer: a call is sent immediately if a worker is free; otherwise it joins the next batch. So a
 * single call does not wait, and the more calls there are, the larger the batches.
 *
 * <p>Batches are sent by up to {@value #MAX_WORKERS} workers on {@link StoreThreads}, never by a
 * caller's thread. (A call that finds no other call in progress is sent by its own thread where
 * that is safe.) The queue is first in, first out. A call that waits too long in the queue is
 * withdrawn and fails. A call without an answer fails too, and its worker is replaced, so that one
 * dead connection does not stop the other calls.
 *
 * <p>A batch that the database refused and undid is sent again one call at a time, so that one call
 * cannot make the others fail.
 */
public final class Batcher<I, O> {
  /** The most calls in a batch: each takes a lock in the database until the batch is committed. */
  public static final int MAX_BATCH = 256;

  /** A batch is closed when its calls have more bytes than this. */
  static final long MAX_BATCH_BYTES = 8 << 20;

  /** More workers would send smaller batches, which cost the database more for the same calls. */
  static final int MAX_WORKERS = 2;

  /** A second worker starts from this many waiting calls: for fewer, one sends larger batches. */
  static final int SECOND_WORKER_FROM = 32;

  /** Calls that wait beyond this number are refused: the database is not keeping up. */
  private static final int MAX_WAITING = 10_000;

  /** The most hung workers that are replaced: each of them keeps a thread and a connection. */
  private static final int MAX_ABANDONED = 8;

  private final Queue<Call> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger workers = new AtomicInteger();
  private final AtomicInteger abandoned = new AtomicInteger();
  private final AtomicBoolean directCall = new AtomicBoolean();
  private final StoreThreads threads;
  private final Function<I, O> single;
  private final Function<List<I>, List<Supplier<O>>> batch;
  private final ToLongFunction<I> bytes;
  private final int maxWaiting;

  /**
   * Creates a batcher.
   *
   * @param threads the threads that send batches
   * @param single sends one call
   * @param batch sends several calls and returns one answer per call, in the same order. Each
   *     answer is read separately, so that an unreadable answer fails only its own call
   * @param bytes returns the size of a call
   */
  public Batcher(
      StoreThreads threads,
      Function<I, O> single,
      Function<List<I>, List<Supplier<O>>> batch,
      ToLongFunction<I> bytes) {
    this(threads, single, batch, bytes, MAX_WAITING);
  }

  Batcher(
      StoreThreads threads,
      Function<I, O> single,
      Function<List<I>, List<Supplier<O>>> batch,
      ToLongFunction<I> bytes,
      int maxWaiting) {
    this.threads = threads;
    this.single = single;
    this.batch = batch;
    this.bytes = bytes;
    this.maxWaiting = maxWaiting;
  }

  /**
   * Sends {@code item}, in a batch with others if there are any, and returns its own answer.
   *
   * @throws StoreUnavailableException if it was not sent, or the database undid it
   * @throws StoreException if there was no answer
   */
  public O submit(I item) {
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      if (threads.mayCallDirectly() && isIdle() && directCall.compareAndSet(false, true)) {
        try {
          return single.apply(item);
        } catch (StoreUnavailableException e) {
          // A pool refuses a thread that is interrupted while it waits for a connection: a worker
          // sends the call instead.
          if (!interrupt.clear()) {
            throw e;
          }
        } finally {
          directCall.set(false);
        }
      }
      return enqueue(item, interrupt);
    }
  }

  /** Returns the number of calls in the queue. */
  int waiting() {
    return waiting.get();
  }

  int workers() {
    return workers.get();
  }

  private boolean isIdle() {
    return workers.get() == 0 && waiting.get() == 0;
  }

  private O enqueue(I item, DeferredInterrupt interrupt) {
    if (waiting.incrementAndGet() > maxWaiting) {
      waiting.decrementAndGet();
      throw new StoreUnavailableException(
          "more than " + maxWaiting + " calls wait for the database: try again later", null);
    }
    Call call = new Call(item);
    queue.add(call);
    try {
      startWorkers();
    } catch (StoreUnavailableException e) {
      if (workers.get() == 0 && withdraw(call)) {
        throw e;
      }
    }
    long timeout = threads.timeoutNanos();
    long deadline = System.nanoTime() + timeout;
    Supplier<O> answer = call.await(deadline, interrupt);
    if (answer == null) {
      if (withdraw(call)) {
        throw new StoreUnavailableException(
            "waited for a connection to the database for " + Duration.ofNanos(timeout), null);
      }
      // A worker is sending it. The connection has its own timeout, but a DataSource may hang.
      answer = call.await(deadline + timeout, interrupt);
    }
    if (answer == null) {
      abandon(call);
      throw StoreThreads.noAnswer(timeout);
    }
    return answer.get();
  }

  private boolean withdraw(Call call) {
    boolean withdrawn = call.batch.compareAndSet(null, Batch.NONE);
    if (withdrawn && queue.remove(call)) {
      waiting.decrementAndGet();
    }
    return withdrawn;
  }

  /** Replaces the worker that hangs on {@code call}. */
  private void abandon(Call call) {
    // After a refused batch, the worker must not send this call on its own any more.
    boolean unused = call.giveUpUnsent();
    Batch sent = call.batch.get();
    if (sent != null && abandoned.get() < MAX_ABANDONED && sent.abandon()) {
      abandoned.incrementAndGet();
      workers.decrementAndGet();
      startWorkersIfPossible();
    }
  }

  private void startWorkersIfPossible() {
    try {
      startWorkers();
    } catch (StoreUnavailableException e) {
      // The next call tries again.
    }
  }

  private void startWorkers() {
    int calls = waiting.get();
    int wanted = calls >= SECOND_WORKER_FROM ? MAX_WORKERS : Math.min(calls, 1);
    if (acquireWorker(wanted)) {
      try {
        threads.startWorker(this::work);
      } catch (Throwable e) {
        workers.decrementAndGet();
        throw e;
      }
    }
  }

  private boolean acquireWorker(int max) {
    int now = workers.get();
    while (now < max) {
      if (workers.compareAndSet(now, now + 1)) {
        return true;
      }
      now = workers.get();
    }
    return false;
  }

  /** Sends batches until the queue is empty. */
  private void work() {
    boolean isEmpty = false;
    while (!isEmpty) {
      Batch next = null;
      try {
        next = new Batch();
        List<Call> calls = take(next);
        isEmpty = calls.isEmpty();
        send(calls);
      } catch (Throwable e) { // Out of memory, for example: calls that were taken fail by timeout.
        Thread.onSpinWait();
      }
      if (next != null && !next.finish()) {
        abandoned.decrementAndGet();
        return; // Another worker has replaced this one.
      }
    }
    workers.decrementAndGet();
    // A call that was queued after the last poll may have found this worker still counted.
    if (!queue.isEmpty()) {
      startWorkersIfPossible();
    }
  }

  private List<Call> take(Batch into) {
    List<Call> calls = new ArrayList<>();
    long size = 0;
    while (calls.size() < MAX_BATCH && size < MAX_BATCH_BYTES) {
      Call next = queue.poll();
      if (next == null) {
        break;
      }
      waiting.decrementAndGet();
      if (next.batch.compareAndSet(null, into)) {
        calls.add(next);
        size += bytes.applyAsLong(next.item);
      }
    }
    return calls;
  }

  private void send(List<Call> calls) {
    if (calls.size() <= 1) {
      calls.forEach(this::sendSingle);
      return;
    }
    try {
      List<Supplier<O>> answers = batch.apply(calls.stream().map(it -> it.item).toList());
      for (int i = 0; i < calls.size(); i++) {
        calls.get(i).give(answers.get(i));
      }
    } catch (StoreUnavailableException e) {
      if (SqlStates.isUndone(e.getCause())) {
        calls.forEach(this::sendSingle);
      } else {
        calls.forEach(it -> it.give(failure(e)));
      }
    } catch (Throwable e) { // Whatever it is, no caller may be left waiting.
      calls.forEach(it -> it.give(failure(e)));
    }
  }

  private void sendSingle(Call call) {
    if (call.isGivenUp()) {
      return; // Its caller has failed already, without an answer.
    }
    try {
      O answer = single.apply(call.item);
      call.give(() -> answer);
    } catch (Throwable e) {
      call.give(failure(e));
    }
  }

  private static <T> Supplier<T> failure(Throwable failure) {
    return () -> {
      throw SharedFailure.forOneCall(failure);
    };
  }

  /** A call in the queue or in a batch. */
  private final class Call extends PendingAnswer<O> {
    private final I item;

    /** Null while the call is in the queue. */
    private final AtomicReference<@Nullable Batch> batch = new AtomicReference<>();

    Call(I item) {
      this.item = item;
    }
  }

  /** The state that the calls of one batch share. */
  private static final class Batch {
    /** The batch of calls that are never sent. */
    static final Batch NONE = new Batch();

    /** Set once: by the worker when it is done, or by a call that gave up on the worker. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Returns whether the worker may continue: no call has replaced it. */
    boolean finish() {
      return ended.compareAndSet(false, true);
    }

    /**
     * Returns whether the worker may be replaced: it is not done, and no other call replaced it.
     */
    boolean abandon() {
      return ended.compareAndSet(false, true);
    }
  }
}
