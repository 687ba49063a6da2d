package dev.once.client;

import dev.once.KeyRing;
import dev.once.internal.Limits;
import dev.once.json.Fingerprinter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue of operations in a file, which survives the end of the process and a power failure. An
 * operation is stored with its key and its exact bytes before it is sent for the first time, and
 * leaves the queue only when its answer is stored. Several processes may share a file. Thread-safe.
 *
 * <p>Only answers count as attempts: being offline uses up none. Operations of a {@linkplain
 * Operation#lane() lane} are sent in order; one that failed blocks its own lane only. An answer of
 * 401 or 403 stops the queue until {@link #credentialsChanged}.
 */
public final class OfflineQueue implements AutoCloseable {
  public static final int MAX_CONCURRENCY = 64;

  /** How large the file may become, unless set. */
  public static final long DEFAULT_MAX_BYTES = 1L << 30;

  /** How many operations a list has at most. */
  public static final int MAX_LIST = 10_000;

  /** How long a lookup may take before another sender repeats it. */
  static final Duration LOOKUP_LEASE = Duration.ofMinutes(5);

  private static final long MIN_MAX_BYTES = 256 << 10;
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofMinutes(1));
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);
  private static final Duration MAX_IDLE = Duration.ofSeconds(1);
  private static final Duration MIN_IDLE = Duration.ofMillis(1);
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);
  private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
  private static final List<OperationState> NOT_BEING_SENT =
      List.of(OperationState.PENDING, OperationState.FAILED);

  private final OnceHttpClient client;
  private final QueueFile file;
  private final OutcomeLookup lookup;
  private final QueueListener listener;
  private final Connectivity connectivity;
  private final Object claiming = new Object();
  private final int maxAttempts;
  private final Duration lease;
  private final Backoff backoff;
  private final Duration drainTime;
  private final Set<String> duplicateTypes;
  private final List<Thread> threads = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LongAdder enqueued = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder done = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean isPaused;
  private volatile boolean isClosed;
  private volatile long purgedNanos = System.nanoTime() - PURGE_INTERVAL.toNanos();

  private OfflineQueue(Builder builder) {
    this.client = builder.client;
    this.lookup = builder.lookup;
    this.listener = builder.listener;
    this.maxAttempts = builder.maxAttempts;
    this.backoff = builder.backoff;
    this.connectivity = new Connectivity(backoff);
    this.drainTime = builder.drainTime;
    this.duplicateTypes = builder.duplicateTypes;
    this.lease = client.attemptTimeout().plus(LEASE_MARGIN);
    this.isPaused = builder.isPaused;
    // Answers to operations that were accepted must find a place: the file may be twice as large.
    this.file =
        new QueueFile(
            SqliteFile.open(builder.path, 2 * builder.maxBytes),
            builder.maxBytes,
            RetryAfter.LONGEST.plus(backoff.longest()),
            new QueueCipher(Optional.ofNullable(builder.ring)),
            builder.fingerprints());
    for (int i = 1; i <= builder.concurrency; i++) {
      Thread thread = new Thread(this::run, "once-queue-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Opens the queue in a file, which is created if it is absent, and starts to send. */
  public static OfflineQueue open(Path file, OnceHttpClient client) {
    return builder(file, client).open();
  }

  public static Builder builder(Path file, OnceHttpClient client) {
    return new Builder(file, client);
  }

  /**
   * Stores an operation, unless it is there already.
   *
   * @return its id
   * @throws DuplicateOperationException if the same request is there under another key
   * @throws IllegalArgumentException if its id or key belongs to another request
   * @throws QueueException if it could not be stored
   */
  public String enqueue(Operation operation) {
    return enqueue(operation, EnqueueOptions.DEFAULT);
  }

  /** Stores an operation with options. */
  public String enqueue(Operation operation, EnqueueOptions options) {
    file.enqueue(
        operation,
        options.allowsDuplicate() || duplicateTypes.contains(operation.type()),
        Optional.empty());
    enqueued(operation);
    return operation.id();
  }

  /**
   * Stores the operations of a group, all or none, unless the group is there already.
   *
   * @throws IllegalStateException if another group has its name
   */
  public void enqueue(OperationGroup group) {
    file.enqueue(group, false);
    group.operations().forEach(this::enqueued);
  }

  private void enqueued(Operation operation) {
    enqueued.increment();
    notify(new QueueEvent.Enqueued(operation));
    signal();
  }

  /** Returns an operation; empty if the queue does not have it, or has forgotten it. */
  public Optional<QueuedOperation> find(String id) {
    return file.find(id);
  }

  /**
   * Returns operations in these states, in the order in which they were enqueued: up to {@value
   * #MAX_LIST}, and fewer if they are large.
   */
  public List<QueuedOperation> list(OperationState... states) {
    return file.list(all(states), Optional.empty(), MAX_LIST);
  }

  /** Returns the operations in these states that follow another one. */
  public List<QueuedOperation> listAfter(String id, OperationState... states) {
    return file.list(all(states), Optional.of(id), MAX_LIST);
  }

  private static List<OperationState> all(OperationState... states) {
    return List.of(states.length == 0 ? OperationState.values() : states);
  }

  public long count(OperationState state) {
    return file.count(state);
  }

  /** Returns what this queue did since it was opened. */
  public QueueCounts counts() {
    return new QueueCounts(
        enqueued.sum(), sent.sum(), unanswered.sum(), done.sum(), replayed.sum(), failed.sum());
  }

  /**
   * Waits until an operation has ended, also one that another process enqueued or sends.
   *
   * @throws IllegalArgumentException if the queue does not have it
   * @throws TimeoutException if it has not ended in time; it goes on
   */
  public QueuedOperation awaitResult(String id, Duration timeout)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      QueuedOperation found = require(id);
      if (found.state().isEnd()) {
        return found;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new TimeoutException("operation " + id + " is still " + found.state().word());
      }
      await(Duration.ofNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100))));
    }
  }

  /** Returns whether an operation with this key succeeded within the last 24 hours. */
  public boolean hasSucceeded(String key) {
    return file.hasSucceeded(key);
  }

  /** Remembers for 24 hours that the operation with this key succeeded, by another way. */
  public void markSuccess(String key) {
    file.markSuccess(key);
  }

  /** Sends a failed operation again, with the same key: the server knows whether it took effect. */
  public void resend(String id) {
    requireOpenGroup(id);
    requireChange(id, file.resend(id), "only a failed operation can be sent again");
  }

  /** Executes a failed operation again, under a new key: it takes effect even if it had before. */
  public void repeat(String id) {
    Operation original = requireOpenGroup(id).operation();
    requireChange(
        id,
        file.replace(id, List.of(OperationState.FAILED), original.copy().build(), true),
        "only a failed operation can be repeated");
  }

  /**
   * Replaces the body of an operation, which gets a new key; its attempts start over. If the server
   * may know the operation already, that is left to end, and the changed one follows it.
   *
   * @return the id of the operation that carries the change
   * @throws IllegalStateException if the operation is being sent, or has ended, or belongs to a
   *     group and the server may know it
   */
  public String edit(String id, String contentType, byte[] body) {
    QueuedOperation found = requireOpenGroup(id);
    Operation edited = found.operation().copy().body(contentType, body).build();
    if (file.replace(id, NOT_BEING_SENT, edited, false)) {
      signal();
      return id;
    }
    QueuedOperation now = require(id);
    if (!NOT_BEING_SENT.contains(now.state()) || now.group().isPresent()) {
      throw new IllegalStateException(
          "operation %s is %s%s: it can be edited when it is pending or failed"
              .formatted(
                  id,
                  now.state().word(),
                  now.group()
                      .map(it -> " in group " + it + ", and may have taken effect")
                      .orElse("")));
    }
    file.enqueue(edited, true, Optional.of(id));
    enqueued(edited);
    return edited.id();
  }

  /**
   * Gives an operation up that is pending or failed, and its group with it.
   *
   * @throws IllegalStateException if it is in another state, or its group is being sent
   */
  public void drop(String id) {
    QueueFile.End end = file.drop(id);
    requireChange(id, end.isEnded(), "only an operation that is pending or failed can be dropped");
    ended(id, false);
    end.dropped().forEach(it -> ended(it, false));
  }

  private QueuedOperation require(String id) {
    return find(id)
        .orElseThrow(() -> new IllegalArgumentException("the queue has no operation " + id));
  }

  /** Refuses an operation whose group was undone because the server refused it. */
  private QueuedOperation requireOpenGroup(String id) {
    QueuedOperation found = require(id);
    boolean isRefused =
        found
            .advice()
            .filter(it -> it != Advice.SEND_AGAIN && it != Advice.CHECK_FIRST)
            .isPresent();
    if (found.group().isPresent() && found.compensates().isEmpty() && isRefused) {
      throw new IllegalStateException(
          "operation %s was refused, and its group was undone: enqueue the group again"
              .formatted(id));
    }
    return found;
  }

  private void requireChange(String id, boolean isChanged, String rule) {
    if (!isChanged) {
      throw new IllegalStateException(
          "%s; operation %s is %s".formatted(rule, id, require(id).state().word()));
    }
    signal();
  }

  /** Sends nothing until {@link #resume}. */
  public void pause() {
    isPaused = true;
  }

  public void resume() {
    isPaused = false;
    signal();
  }

  /** Returns why nothing is sent until the credentials change; empty if it is sent. */
  public Optional<String> parked() {
    return file.parked();
  }

  /** Goes on after an answer of 401 or 403. */
  public void credentialsChanged() {
    file.changeCredentials();
    signal();
  }

  /** Returns whether every server answered the last attempt. */
  public boolean isOnline() {
    return connectivity.isOnline();
  }

  /**
   * Waits until nothing is left to be sent; returns false if something is after {@code timeout}.
   */
  public boolean drain(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (file.count(OperationState.PENDING) + file.count(OperationState.SENDING) > 0) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      await(Duration.ofNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100))));
    }
    return true;
  }

  /**
   * Ends sending, after the {@linkplain Builder#drainTime drain time}. An operation that is being
   * sent is sent again when the queue is opened next, with the same key.
   */
  @Override
  public void close() {
    boolean interrupted = false;
    try {
      boolean unused = drainTime.isZero() || isClosed || drain(drainTime);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    isClosed = true;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join(client.attemptTimeout().toMillis());
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    file.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isClosed) {
      boolean unused = Thread.interrupted(); // By a listener; a queue that closes ends below.
      try {
        purge();
        if (isPaused || !sendNext()) {
          await(idle());
        }
      } catch (InterruptedException e) {
        // Closed, which the loop sees.
      } catch (Throwable e) { // A full disk, for example: nothing else would send.
        failed(e);
      }
    }
  }

  private void failed(Throwable failure) {
    if (isClosed) {
      return;
    }
    notify(new QueueEvent.Trouble("sending operations", failure));
    try {
      Thread.sleep(FAILURE_PAUSE.toMillis());
    } catch (InterruptedException e) {
      // Closed, which the loop sees.
    }
  }

  private Duration idle() {
    Optional<Duration> next =
        isPaused ? Optional.empty() : connectivity.untilNextTry().or(() -> file.nextDue());
    return next.filter(it -> it.compareTo(MAX_IDLE) < 0)
        .map(it -> it.plus(MIN_IDLE))
        .orElse(MAX_IDLE);
  }

  private void purge() {
    if (System.nanoTime() - purgedNanos > PURGE_INTERVAL.toNanos()) {
      purgedNanos = System.nanoTime();
      file.purge();
    }
  }

  /** Returns whether there was something to send. */
  private boolean sendNext() {
    Optional<QueueFile.Claim> claim = claim();
    claim.ifPresent(
        it -> {
          try {
            handle(it);
          } finally {
            connectivity.released(it.target());
          }
        });
    return claim.isPresent();
  }

  /** One claim at a time, so that a single operation tries a server that does not answer. */
  private Optional<QueueFile.Claim> claim() {
    synchronized (claiming) {
      Optional<QueueFile.Claim> claim = file.claim(lease, connectivity.blocked());
      claim.ifPresent(it -> connectivity.trying(it.target()));
      return claim;
    }
  }

  private void handle(QueueFile.Claim claim) {
    try {
      if (claim.hasSucceeded()) {
        done(claim, Optional.empty(), true);
      } else if (isForgotten(claim)) {
        lookUp(claim);
      } else {
        send(claim);
      }
    } catch (InterruptedException e) {
      String reason = isClosed ? "the queue was closed" : "interrupted";
      Duration pause = isClosed ? Duration.ZERO : backoff.after(1, ThreadLocalRandom.current());
      file.postpone(claim, new QueueFile.Postponement(false, false, true, pause, reason));
    } catch (QueueException e) {
      throw e;
    } catch (RuntimeException e) { // Of the application's credentials or lookup.
      notify(new QueueEvent.Trouble("sending " + claim.operation(), e));
      postpone(claim, e.getClass().getSimpleName(), true, false, true, Duration.ZERO);
    }
  }

  /**
   * Returns whether the server may execute the operation again: it may have forgotten the key
   * before an attempt would end, or it knows no keys.
   */
  private boolean isForgotten(QueueFile.Claim claim) {
    if (!claim.wasSent()) {
      return false;
    }
    Duration retention = client.rules().retention().minus(client.attemptTimeout());
    return !client.rules().isRepeatable(claim.operation().method())
        || claim
            .queued()
            .firstSentAt()
            .filter(it -> it.plus(retention).isBefore(Instant.now()))
            .isPresent();
  }

  private void lookUp(QueueFile.Claim claim) throws InterruptedException {
    if (!file.extend(claim, LOOKUP_LEASE)) {
      return;
    }
    OutcomeLookup.Outcome outcome;
    try {
      outcome = lookup.find(claim.operation());
    } catch (IOException e) {
      String reason = AttemptOutcome.failed(e).failure().orElse("no answer");
      postpone(claim, reason, false, false, true, Duration.ZERO);
      return;
    }
    switch (outcome) {
      case TOOK_EFFECT -> done(claim, Optional.empty(), true);
      case DID_NOT_TAKE_EFFECT -> {
        if (file.restartRetention(claim, lease)) {
          send(claim);
        }
      }
      case UNKNOWN ->
          fail(
              claim,
              Advice.CHECK_FIRST,
              "the server may execute it again; it was first sent at "
                  + claim.queued().firstSentAt().map(Instant::toString).orElse("-"),
              Optional.empty(),
              false);
    }
  }

  private void send(QueueFile.Claim claim) throws InterruptedException {
    sent.increment();
    notify(new QueueEvent.Sending(claim.operation(), claim.queued().attempts() + 1));
    AttemptOutcome outcome = client.attempt(claim.operation());
    noteConnectivity(claim.target(), outcome.answer().isPresent());
    Decision decision = client.rules().decide(claim.operation().method(), outcome);
    if (decision instanceof Decision.Done it) {
      done(claim, outcome.answer(), it.isReplayed());
    } else if (decision instanceof Decision.Refused it) {
      refused(claim, it.advice(), outcome);
    } else if (decision instanceof Decision.Retry it) {
      postpone(claim, outcome, it.atLeast());
    } else if (decision instanceof Decision.Follow it) {
      postpone(claim, outcome, it.atLeast());
    } else if (decision instanceof Decision.Unknown it) {
      if (it.advice() == Advice.SEND_AGAIN) {
        postpone(claim, outcome, Duration.ZERO);
      } else {
        fail(claim, it.advice(), describe(outcome), outcome.answer(), false);
      }
    }
  }

  private void refused(QueueFile.Claim claim, Advice advice, AttemptOutcome outcome) {
    if (advice == Advice.SIGN_IN) {
      String reason = claim.operation() + " was answered by " + describe(outcome);
      if (file.park(claim, reason)) {
        notify(new QueueEvent.Parked(reason));
      }
    } else if (advice == Advice.SEND_AGAIN) {
      postpone(claim, outcome, Duration.ZERO);
    } else {
      fail(claim, advice, describe(outcome), outcome.answer(), true);
    }
  }

  /** Only answers count, and not the answer that another request with the key is in execution. */
  private void postpone(QueueFile.Claim claim, AttemptOutcome outcome, Duration atLeast) {
    boolean isAnswered = outcome.answer().isPresent();
    boolean isInFlight =
        outcome.answer().filter(it -> it.status() == 409 || it.status() == 202).isPresent();
    boolean isCounted = isAnswered && !isInFlight;
    if (isCounted && claim.queued().attempts() + 1 >= maxAttempts) {
      fail(claim, Advice.SEND_AGAIN, describe(outcome), outcome.answer(), false);
    } else {
      postpone(claim, describe(outcome), isCounted, isAnswered, outcome.isSent(), atLeast);
    }
  }

  private void postpone(
      QueueFile.Claim claim,
      String reason,
      boolean isCounted,
      boolean isAnswered,
      boolean isSent,
      Duration atLeast) {
    if (isCounted && claim.queued().attempts() + 1 >= maxAttempts) {
      fail(claim, Advice.SEND_AGAIN, reason, Optional.empty(), false);
      return;
    }
    int step = isAnswered ? claim.queued().attempts() + 1 : claim.unanswered() + 1;
    Duration jittered = backoff.after(step, ThreadLocalRandom.current());
    Duration pause = atLeast.compareTo(jittered) > 0 ? atLeast : jittered;
    if (file.postpone(
        claim, new QueueFile.Postponement(isCounted, isAnswered, isSent, pause, reason))) {
      notify(new QueueEvent.Waiting(claim.operation(), pause, reason));
    }
  }

  private void done(QueueFile.Claim claim, Optional<Answer> answer, boolean isReplayed) {
    if (file.done(claim, answer)) {
      done.increment();
      if (isReplayed) {
        replayed.increment();
      }
      ended(claim.operation().id(), isReplayed);
    }
    signal();
  }

  private void fail(
      QueueFile.Claim claim,
      Advice advice,
      String reason,
      Optional<Answer> answer,
      boolean isRefused) {
    QueueFile.End end = file.fail(claim, advice, reason, answer, isRefused);
    if (end.isEnded()) {
      failed.increment();
      ended(claim.operation().id(), false);
      end.dropped().forEach(it -> ended(it, false));
    }
    signal();
  }

  private void ended(String id, boolean isReplayed) {
    find(id).ifPresent(it -> notify(new QueueEvent.Ended(it, isReplayed)));
  }

  private static String describe(AttemptOutcome outcome) {
    return outcome
        .answer()
        .map(it -> it.status() + it.code().map(code -> " " + code).orElse(""))
        .orElseGet(() -> outcome.failure().orElse("no answer"));
  }

  private void noteConnectivity(String target, boolean isAnswered) {
    if (!isAnswered) {
      unanswered.increment();
      if (connectivity.unanswered(target)) {
        notify(new QueueEvent.Connectivity(false));
      }
    } else if (connectivity.answered(target)) {
      file.retryNow(target);
      notify(new QueueEvent.Connectivity(connectivity.isOnline()));
      signal();
    }
  }

  private void notify(QueueEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException | Error e) {
      // A listener cannot stop the queue.
    }
    if (!isClosed && threads.contains(Thread.currentThread())) {
      boolean unused = Thread.interrupted(); // Nor can it end the attempt that follows.
    }
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // Callers check what they wait for in loops of their own.
  private void await(Duration time) throws InterruptedException {
    lock.lock();
    try {
      boolean unused = changed.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      lock.unlock();
    }
  }

  /** Builds a queue. */
  public static final class Builder {
    private final Path path;
    private final OnceHttpClient client;
    private OutcomeLookup lookup = operation -> OutcomeLookup.Outcome.UNKNOWN;
    private QueueListener listener = event -> {};
    private int concurrency = 4;
    private int maxAttempts = 5;
    private long maxBytes = DEFAULT_MAX_BYTES;
    private Backoff backoff = BACKOFF;
    private Duration drainTime = Duration.ZERO;
    private Set<String> duplicateTypes = Set.of();
    private boolean isPaused;
    private @Nullable KeyRing ring;
    private byte @Nullable [] fingerprintKey;

    private Builder(Path path, OnceHttpClient client) {
      this.path = path;
      this.client = client;
    }

    /** Sets what asks for the outcome of an operation whose key the server may have forgotten. */
    public Builder lookup(OutcomeLookup lookup) {
      this.lookup = lookup;
      return this;
    }

    public Builder listener(QueueListener listener) {
      this.listener = listener;
      return this;
    }

    /** Sets how many operations are sent at the same time. */
    public Builder concurrency(int concurrency) {
      Limits.range("concurrency", concurrency, 1, MAX_CONCURRENCY);
      this.concurrency = concurrency;
      return this;
    }

    /** Sets how many answers that are not final an operation gets until it fails. */
    public Builder maxAttempts(int maxAttempts) {
      Limits.range("maxAttempts", maxAttempts, 1, 1000);
      this.maxAttempts = maxAttempts;
      return this;
    }

    /** Sets the pauses between the attempts at an operation, and at a server without answer. */
    public Builder backoff(Backoff backoff) {
      this.backoff = backoff;
      return this;
    }

    /** Sets from which size of the file on no operations are accepted. */
    public Builder maxBytes(long maxBytes) {
      Limits.range("maxBytes", maxBytes, MIN_MAX_BYTES, 1L << 40);
      this.maxBytes = maxBytes;
      return this;
    }

    /** Sets how long closing waits until everything is sent; it does not wait unless set. */
    public Builder drainTime(Duration drainTime) {
      Limits.range("drainTime", drainTime, Duration.ZERO, Duration.ofHours(1));
      this.drainTime = drainTime;
      return this;
    }

    /** Sets the types of operations that may be in the queue twice, under different keys. */
    public Builder duplicateTypes(Set<String> types) {
      this.duplicateTypes = Set.copyOf(types);
      return this;
    }

    /** Opens the queue without sending, until {@link OfflineQueue#resume}. */
    public Builder paused() {
      this.isPaused = true;
      return this;
    }

    /**
     * Seals requests and answers in the file. Ids, keys, types, lanes, groups, hosts and errors
     * stay readable.
     */
    public Builder sealedWith(KeyRing ring) {
      this.ring = ring;
      this.fingerprintKey =
          ring.key(ring.ids().stream().sorted().findFirst().orElseThrow())
              .orElseThrow()
              .getEncoded();
      return this;
    }

    private Fingerprinter fingerprints() {
      return fingerprintKey == null
          ? Fingerprinter.sha256()
          : Fingerprinter.builder().key(fingerprintKey).build();
    }

    public OfflineQueue open() {
      return new OfflineQueue(this);
    }
  }
}
