package dev.once.jobs;

import dev.once.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Claims jobs of one queue and runs them: one thread claims, and each slot is a thread that takes
 * claimed jobs from the buffer.
 */
final class QueueRunner {
  private static final long MAX_SHARE_OF_HEAP = 32;

  /**
   * When a process holds payloads of so many bytes from one queue, it claims no more. A handler's
   * own work needs memory too, and a payload exists twice while it is received.
   */
  static final long MAX_BYTES =
      Math.min(32L << 20, Runtime.getRuntime().maxMemory() / MAX_SHARE_OF_HEAP);

  private final Queue queue;
  private final Map<String, Handler> handlers;
  private final WorkerContext context;
  private final ClaimStatement claim;
  private final Prefetch prefetch;
  private final JobExecutor executor;
  private final JobBuffer buffer = new JobBuffer(System::nanoTime);
  private final Set<JobLease> leases = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private final EagerCapacity eager = new EagerCapacity(System::nanoTime);
  private final List<SupervisedThread> threads = new ArrayList<>();

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
    threads.add(thread("claim", "claiming jobs", this::claimUntilStopped));
    for (int slot = 1; slot <= queue.slots(); slot++) {
      threads.add(thread(Integer.toString(slot), "running jobs", this::workUntilStopped));
    }
    threads.forEach(SupervisedThread::start);
  }

  private SupervisedThread thread(String name, String what, SupervisedThread.Task task) {
    return new SupervisedThread(
        "once-jobs-" + queue.name() + "-" + name,
        what + " of " + queue.name(),
        task,
        this::isStopping,
        context.listener());
  }

  /** Makes the claiming thread poll immediately. */
  void wake() {
    eager.woken();
    newJobs.signal();
  }

  /**
   * Reserves a place for {@code job}, which its caller enqueues as leased, if it could be claimed
   * at once and this process would run it next.
   */
  Optional<EagerReservation> reserve(Job job) {
    boolean mayStart =
        job.key().queue().equals(queue.name())
            && job.isDue()
            && job.aggregate().isEmpty()
            && handlers.containsKey(job.key().type())
            && !queue.isLimited()
            && !stopping
            && !isPaused();
    return mayStart
        ? eager.reserve(this, prefetch.recent(), leases.size(), bytesLeft(), job.payload().length)
        : Optional.empty();
  }

  private boolean isPaused() {
    try {
      return queue.isPaused().getAsBoolean();
    } catch (RuntimeException e) { // The claiming thread reports it. Enqueueing has to work.
      return true;
    }
  }

  /** Gives a reservation back. */
  void release(EagerReservation reservation) {
    eager.release(reservation);
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
    boolean allEnded = true;
    for (SupervisedThread thread : threads) {
      allEnded &= thread.join(Duration.ofNanos(deadlineNanos - System.nanoTime()));
    }
    return allEnded;
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
    context.batches().memberSettled(jobLease.job().batch());
    untrack(jobLease);
  }

  /** Stops tracking a job that this process no longer holds. */
  void untrack(JobLease jobLease) {
    if (leases.remove(jobLease)) {
      bytes.addAndGet(-bytesOf(jobLease));
    }
    capacity.signal();
    if (queue.concurrency().isPresent() || queue.tenantConcurrency().isPresent()) {
      newJobs.signal(); // The limit may allow another claim now.
    }
  }

  private void putBack(List<JobLease> notStarted, String why) {
    notStarted.forEach(jobLease -> putBack(jobLease, why));
  }

  /** Puts a job that has not started back into the queue. */
  void putBack(JobLease jobLease, String why) {
    AttemptFailure reason = AttemptFailure.of(why);
    context
        .settlements()
        .add(new Settlement.Reschedule(jobLease, Duration.ZERO, RunKind.NOT_BEGUN, reason));
  }

  /** Returns the handler of a job, if this process has one. */
  Optional<Handler> handler(ClaimedJob job) {
    return Optional.ofNullable(handlers.get(job.key().type()));
  }

  private void claimUntilStopped() throws InterruptedException {
    while (!stopping) {
      try {
        claimOnce();
      } catch (RuntimeException | Error e) { // Of the pool, or of isPaused.
        SupervisedThread.report(context.listener(), "claiming jobs of " + queue.name(), e);
        newJobs.await(context.pollInterval());
      }
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
    if (bytesLeft() <= 0) {
      return 0;
    }
    int prefetch = this.prefetch.jobs();
    int free = prefetch - leases.size();
    return free >= (prefetch + 1) / 2 || buffer.size() == 0 ? Math.max(0, free) : 0;
  }

  /** Returns how many bytes of payload this process may hold besides those that it holds. */
  private long bytesLeft() {
    return MAX_BYTES - bytes.get();
  }

  private static long bytesOf(JobLease jobLease) {
    return jobLease.job().payload().bytes().length;
  }

  /** Gives jobs that are leased to this process, and committed, to its slots. */
  void hold(List<JobLease> added) {
    try {
      for (JobLease jobLease : added) {
        leases.add(jobLease);
        bytes.addAndGet(bytesOf(jobLease));
      }
      buffer.add(added);
    } catch (Error e) { // No memory: jobs that no thread runs would be renewed for ever.
      for (JobLease jobLease : added) {
        untrack(jobLease);
      }
      throw e;
    }
    if (stopping) { // The buffer may have been closed before these were added.
      putBack(buffer.close(), "its worker stops");
    }
  }

  /** Claims jobs into the buffer. Returns whether there may be more. */
  private boolean claim(int wanted) {
    long wakes = eager.wakes();
    long sent = System.nanoTime();
    ClaimStatement.Claim claimed;
    try {
      claimed =
          context
              .work()
              .run(
                  "claiming jobs",
                  it -> claim.execute(it, lastTenant, cursor.from(), wanted, bytesLeft()));
    } catch (StoreException e) {
      context.listener().on(new JobEvent.Trouble("claiming jobs of " + queue.name(), e));
      return false;
    }
    List<ClaimedJob> jobs = claimed.jobs();
    List<JobLease> held = new ArrayList<>();
    for (ClaimedJob job : jobs) {
      held.add(new JobLease(job, this, sent, queue.lease()));
    }
    hold(held);
    int readable = wanted - claimed.unreadable().size();
    boolean hasLowerIds = cursor.claimed(lastTenant, jobs, readable);
    lastTenant = TenantRotation.last(lastTenant, jobs);
    setAside(claimed.unreadable());
    // A claim may also have ended because of its bytes.
    boolean mayHaveMore = hasLowerIds || jobs.size() == readable || bytesLeft() <= 0;
    eager.claimed(wakes, mayHaveMore);
    return mayHaveMore;
  }

  private void setAside(List<UnreadableJob> unreadable) {
    if (unreadable.isEmpty()) {
      return;
    }
    Set<Long> dead;
    try {
      dead =
          context.work().run("setting jobs aside", it -> SetAsideStatement.execute(it, unreadable));
    } catch (StoreException e) { // Their leases expire.
      context.listener().on(new JobEvent.Trouble("setting jobs of " + queue.name() + " aside", e));
      return;
    }
    for (UnreadableJob job : unreadable) {
      String what =
          "reading job %d of %s, which %s"
              .formatted(
                  job.id(),
                  queue.name(),
                  dead.contains(job.id()) ? "is a dead letter now" : "waits for another release");
      context.listener().on(new JobEvent.Trouble(what, job.cause()));
    }
  }

  private void workUntilStopped() throws InterruptedException {
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
  }

  /** Drops jobs that could not be settled: they run again when their leases have expired. */
  private void drop(List<JobLease> taken, Throwable thrown) {
    taken.stream().filter(jobLease -> !jobLease.isSettled()).forEach(context.settlements()::lost);
    SupervisedThread.report(context.listener(), "running jobs of " + queue.name(), thrown);
  }

  private int batchSize(JobLease jobLease) {
    return handlerOf(jobLease).batchSize();
  }

  private Handler handlerOf(JobLease jobLease) {
    return handler(jobLease.job())
        .orElseThrow(
            () ->
                new AssertionError("claimed a job of a type without a handler: " + jobLease.job()));
  }
}
