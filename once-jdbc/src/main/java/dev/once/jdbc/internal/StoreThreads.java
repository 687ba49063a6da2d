package dev.once.jdbc.internal;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.spi.DeferredInterrupt;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which a store calls the database, instead of its callers' threads. Thread-bound
 * state of a caller (a transaction, the key of a routing {@code DataSource}) does not reach the
 * database. Neither does an interrupt, which would close the socket that a virtual thread uses.
 *
 * <p>A {@link DataSource} that is known to ignore the calling thread is called directly from a
 * platform thread: that saves two thread switches.
 *
 * <p>Threads are started when they are needed and end when they are idle, so there is nothing to
 * close.
 */
public final class StoreThreads {
  /** How long a call waits for an answer from the database. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /** Threads for calls that are not batched; further calls wait for one of them. */
  private static final int CALL_THREADS = 8;

  /** The most hung threads that are replaced. */
  private static final int MAX_HUNG_THREADS = 32;

  /** Calls that wait beyond this number are refused: the database is not keeping up. */
  private static final int MAX_WAITING = 10_000;

  private static final long IDLE_SECONDS = 30;

  /** Pools and sources that do not depend on the calling thread, except for its interrupt. */
  private static final Set<String> DIRECT =
      Set.of(
          "com.zaxxer.hikari.HikariDataSource",
          "org.apache.commons.dbcp2.BasicDataSource",
          "org.apache.tomcat.jdbc.pool.DataSource",
          "org.postgresql.ds.PGSimpleDataSource");

  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();
  private static final ThreadLocal<@Nullable PendingAnswer<?>> CURRENT = new ThreadLocal<>();
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Runs workers. The batchers limit their number. */
  private final ThreadPoolExecutor workers =
      threads(0, Integer.MAX_VALUE, new SynchronousQueue<>());

  private final ThreadPoolExecutor calls =
      threads(CALL_THREADS, CALL_THREADS, new LinkedBlockingQueue<>(MAX_WAITING));

  private int hungThreads;
  private final boolean direct;
  private final long timeoutNanos;

  private StoreThreads(boolean direct, Duration timeout) {
    this.direct = direct;
    this.timeoutNanos = timeout.toNanos();
  }

  /** Returns threads for calls to {@code dataSource} that may take up to {@code timeout} each. */
  public static StoreThreads of(DataSource dataSource, Duration timeout) {
    return new StoreThreads(DIRECT.contains(dataSource.getClass().getName()), timeout);
  }

  /** Returns threads for calls that bind the thread they run on, to a tenant for example. */
  public static StoreThreads withoutDirectCalls(Duration timeout) {
    return new StoreThreads(false, timeout);
  }

  /**
   * Calls the database and returns its answer, even if the calling thread is interrupted.
   *
   * @throws StoreException if there is no answer in time
   */
  public <T> T call(Supplier<T> call) {
    return call(call, timeoutNanos);
  }

  /** Does the same for a call that may take as long as {@code timeout}. */
  public <T> T call(Supplier<T> call, Duration timeout) {
    return call(call, timeout.toNanos());
  }

  private <T> T call(Supplier<T> call, long timeout) {
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      if (mayCallDirectly()) {
        try {
          return call.get();
        } catch (StoreUnavailableException e) {
          // A pool refuses a thread that is interrupted while it waits for a connection: a thread
          // of the store makes the call instead.
          if (!interrupt.clear()) {
            throw e;
          }
        }
      }
      return handOver(call, timeout, interrupt);
    }
  }

  /** Returns whether the calling thread may call the database itself. */
  boolean mayCallDirectly() {
    return direct && !isVirtual(Thread.currentThread());
  }

  /**
   * Runs a worker, which may take long, on a thread of its own.
   *
   * @throws StoreUnavailableException if no thread can be started
   */
  void startWorker(Runnable worker) {
    execute(workers, worker);
  }

  private static void execute(ThreadPoolExecutor threads, Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      throw new StoreUnavailableException(
          "too many calls wait for the database, or no thread can be started: try again later", e);
    }
  }

  private static ThreadPoolExecutor threads(int core, int max, BlockingQueue<Runnable> queue) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            core, max, IDLE_SECONDS, TimeUnit.SECONDS, queue, StoreThreads::thread);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  private <T> T handOver(Supplier<T> call, long timeout, DeferredInterrupt interrupt) {
    PendingAnswer<T> pending = new PendingAnswer<>();
    execute(calls, () -> run(call, pending));
    // The connection times out first; this timeout is for a DataSource that hangs.
    Supplier<T> answer = pending.await(System.nanoTime() + 2 * timeout, interrupt);
    if (answer != null) {
      return answer.get();
    }
    if (pending.giveUpUnsent()) {
      throw new StoreUnavailableException(
          "waited for a thread to call the database for " + Duration.ofNanos(2 * timeout), null);
    }
    if (pending.giveUpSent()) {
      replaceHungThread(1);
    }
    throw noAnswer(timeout);
  }

  /** Makes the call, unless its caller has given up already. */
  private <T> void run(Supplier<T> call, PendingAnswer<T> pending) {
    if (pending.start()) {
      CURRENT.set(pending);
      try {
        pending.give(answerOf(call));
      } finally {
        CURRENT.remove();
      }
      if (!pending.end()) {
        replaceHungThread(-1);
      }
    }
  }

  /** Returns whether the caller of the call on this thread has given up. */
  static boolean isGivenUp() {
    PendingAnswer<?> current = CURRENT.get();
    return current != null && current.isGivenUp();
  }

  /** Counts a hung thread (or its end). The pool grows by the hung threads, up to a limit. */
  private synchronized void replaceHungThread(int change) {
    hungThreads += change;
    int threads = CALL_THREADS + Math.min(hungThreads, MAX_HUNG_THREADS);
    if (threads > calls.getMaximumPoolSize()) {
      calls.setMaximumPoolSize(threads);
      calls.setCorePoolSize(threads);
    } else {
      calls.setCorePoolSize(threads);
      calls.setMaximumPoolSize(threads);
    }
  }

  /** Returns the failure of a call that may have reached the database. */
  static StoreException noAnswer(long timeout) {
    return new StoreException("no answer from the database for " + Duration.ofNanos(timeout), null);
  }

  static <T> Supplier<T> answerOf(Supplier<T> call) {
    try {
      T answer = call.get();
      return () -> answer;
    } catch (RuntimeException e) {
      return () -> {
        throw e;
      };
    } catch (Throwable e) { // Any failure at all must reach the caller.
      return () -> {
        throw new StoreException("the call failed: " + e, e);
      };
    }
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable e) {
      throw new AssertionError("Thread.isVirtual throws nothing", e);
    }
  }

  /** Returns null on Java versions before 21, which have no virtual threads. */
  private static @Nullable MethodHandle isVirtual() {
    try {
      MethodType type = MethodType.methodType(boolean.class);
      return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", type);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "once-store-" + COUNT.incrementAndGet(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(StoreThreads.class.getClassLoader());
    return thread;
  }
}
