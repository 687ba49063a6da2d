package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.internal.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims jobs of one queue and runs them: one thread claims, and each slot is a thread that takes
 * claimed jobs from the buffer.
 */
final class QueueRunner {
  private final Queue queue;
  private final Map<String, Handler> handlers;
  private final WorkerContext context;
  private final ClaimStatement claim;
  private final Prefetch prefetch;
  private final JobExecutor executor;
  private final JobBuffer buffer = new JobBuffer();
  private final Set<JobLease> leases = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();

  /** Signals that the queue may have new jobs. */
  private final Signal newJobs = new Signal();

  /** Signals that this process holds fewer jobs. */
  private final Signal capacity = new Signal();

  private volatile boolean stopping;

  // Used only on the claiming thread: where the next claim starts.
  private final ClaimCursor cursor = new ClaimCursor(System::nanoTime);
  private String lastTenant = "";

  QueueRunner(Queue queue, Map<String, Handler> handlers, WorkerContext context) {
    this.queue = queue;
    this.handlers = handlers;
    this.context = context;
    this.claim = new ClaimStatement(queue, handlers.keySet());
    this.prefetch = new Prefetch(queue.slots());
    this.executor = new JobExecutor(context, this::isStopping);
  }

  Queue queue() {
    return queue;
  }

  Collection<JobLease> leases() {
    return leases;
  }

  void start() {
    threads.add(Threads.daemon(this::claimUntilStopped, "once-jobs-" + queue.name() + "-claim"));
    for (int slot = 1; slot <= queue.slots(); slot++) {
      threads.add(Threads.daemon(this::workUntilStopped, "once-jobs-" + queue.name() + "-" + slot));
    }
    threads.forEach(Thread::start);
  }

  /** Makes the claiming thread poll immediately. */
  void wake() {
    newJobs.signal();
  }

  /** Stops claiming, and puts the jobs that have not started back into the queue. */
  void stopClaiming() {
    stopping = true;
    newJobs.signal();
    capacity.signal();
    putBack(buffer.close(), "its worker stops");
  }

  boolean isStopping() {
    return stopping;
  }

  /** Returns whether every handler ended in time. */
  boolean awaitEnd(long deadlineNanos) throws InterruptedException {
    for (Thread thread : threads) {
      long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
      thread.join(Math.max(1, millis));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }

  void interruptHandlers() {
    leases.forEach(JobLease::stop);
  }

  /**
   * Puts jobs that wait too long for a slot back into the queue: another process may have one free.
   */
  void putBackOlderThan(Duration maxWait) {
    putBack(buffer.takeOlderThan(maxWait), "no slot became free for it");
  }

  /** Stops tracking a job that was run. */
  void ended(JobLease jobLease) {
    prefetch.ended(1);
    untrack(jobLease);
  }

  /** Stops tracking a job that this process no longer holds. */
  void untrack(JobLease jobLease) {
    leases.remove(jobLease);
    capacity.signal();
    if (queue.concurrency().isPresent() || queue.tenantConcurrency().isPresent()) {
      newJobs.signal(); // The limit may allow another claim now.
    }
  }

  private void putBack(List<JobLease> notStarted, String why) {
    for (JobLease jobLease : notStarted) {
      context
          .settlements()
          .add(new Settlement.Reschedule(jobLease, Duration.ZERO, false, AttemptFailure.of(why)));
    }
  }

  private void claimUntilStopped() {
    try {
      while (!stopping) {
        try {
          claimOnce();
        } catch (RuntimeException | Error e) { // Of the pool, or of isPaused.
          context.listener().on(JobEvent.Trouble.of("claiming jobs of " + queue.name(), e));
          newJobs.await(context.pollInterval());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void claimOnce() throws InterruptedException {
    if (queue.isPaused().getAsBoolean()) {
      newJobs.await(context.pollInterval());
      return;
    }
    int wanted = wanted();
    if (wanted == 0) {
      capacity.await(context.pollInterval());
    } else if (!claim(wanted)) {
      newJobs.await(context.pollInterval());
    }
  }

  /**
   * Returns how many jobs to claim now. As long as the buffer has jobs, small claims are postponed
   * until they are larger.
   */
  private int wanted() {
    int prefetch = this.prefetch.jobs();
    int free = prefetch - leases.size();
    return free >= (prefetch + 1) / 2 || buffer.size() == 0 ? Math.max(0, free) : 0;
  }

  /** Claims jobs into the buffer. Returns whether there may be more. */
  private boolean claim(int wanted) {
    long sent = System.nanoTime();
    List<ClaimedJob> jobs;
    try {
      jobs =
          context
              .work()
              .run("claiming jobs", it -> claim.execute(it, lastTenant, cursor.from(), wanted));
    } catch (StoreException e) {
      context.listener().on(new JobEvent.Trouble("claiming jobs of " + queue.name(), e));
      return false;
    }
    List<JobLease> claimed = new ArrayList<>();
    for (ClaimedJob job : jobs) {
      claimed.add(new JobLease(job, this, sent, queue.lease()));
    }
    leases.addAll(claimed);
    boolean hasLowerIds = cursor.claimed(lastTenant, jobs, wanted);
    lastTenant = TenantRotation.last(lastTenant, jobs);
    buffer.add(claimed);
    if (stopping) { // The buffer may have been closed before these were added.
      putBack(buffer.close(), "its worker stops");
    }
    return hasLowerIds || jobs.size() == wanted;
  }

  private void workUntilStopped() {
    try {
      while (true) {
        List<JobLease> taken = buffer.take(this::batchSize);
        if (taken.isEmpty()) {
          return;
        }
        try {
          if (queue.isPaused().getAsBoolean()) { // Since they were claimed.
            putBack(taken, "its queue is paused");
          } else {
            executor.run(taken, handlerOf(taken.get(0)));
          }
        } catch (Throwable e) { // An exception cannot be printed, or no memory is left.
          drop(taken, e);
        }
        Thread.interrupted(); // The next handler must not see this one's interrupt.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Drops jobs that could not be settled: they run again when their leases have expired. */
  private void drop(List<JobLease> taken, Throwable thrown) {
    taken.stream().filter(jobLease -> !jobLease.isSettled()).forEach(context.settlements()::lost);
    context.listener().on(JobEvent.Trouble.of("running jobs of " + queue.name(), thrown));
  }

  private int batchSize(JobLease jobLease) {
    return handlerOf(jobLease).batchSize();
  }

  private Handler handlerOf(JobLease jobLease) {
    Handler handler = handlers.get(jobLease.job().key().type());
    if (handler == null) {
      throw new AssertionError("claimed a job of a type without a handler: " + jobLease.job());
    }
    return handler;
  }
}
