package dev.once.client;

import dev.once.KeyRing;
import dev.once.client.internal.RetryAfter;
import dev.once.internal.Limits;
import dev.once.json.Fingerprinter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A queue of operations in a file, which survives the end of the process and a power failure. An
 * operation is stored with its key and its exact bytes before it is sent for the first time, and
 * leaves the queue only when its answer is stored. Several processes may share a file. Thread-safe.
 *
 * <p>Only answers count as attempts: being offline uses up none. Operations of a {@linkplain
 * Operation#orderingKey() ordering key} are sent in order; one that failed blocks these only. An
 * answer of 401 or 403 stops the queue until {@link #credentialsChanged}.
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
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofMinutes(1));

  private final OnceHttpClient client;
  private final QueueFile file;
  private final Connectivity connectivity;
  private final QueueProgress progress;
  private final WorkSignal signal = new WorkSignal();
  private final OperationCommands commands;
  private final OperationSender sender;
  private final QueueSenders senders;
  private final Duration drainTime;
  private final Set<String> duplicateTypes;

  private OfflineQueue(Builder builder) {
    this.client = builder.client;
    this.connectivity = new Connectivity(builder.backoff);
    this.progress = new QueueProgress(builder.listener);
    this.drainTime = builder.drainTime;
    this.duplicateTypes = builder.duplicateTypes;
    // Answers to operations that were accepted must find a place: the file may be twice as large.
    this.file =
        QueueFile.of(
            SqliteFile.open(builder.path, 2 * builder.maxBytes),
            builder.maxBytes,
            RetryAfter.LONGEST.plus(builder.backoff.longest()),
            new QueueCipher(Optional.ofNullable(builder.ring)),
            builder.fingerprints());
    this.commands = new OperationCommands(file);
    this.sender =
        new OperationSender(
            client,
            file,
            connectivity,
            progress,
            signal,
            new OperationSender.Settings(builder.lookup, builder.maxAttempts, builder.backoff));
    this.senders =
        new QueueSenders(file, client.rules().contract(), sender, connectivity, progress, signal);
    senders.pause(builder.isPaused);
    try {
      if (!builder.isPaused) {
        adoptContract();
      }
      senders.start(builder.concurrency);
    } catch (RuntimeException | Error e) {
      boolean unused = senders.stop(client.attemptTimeout());
      file.close();
      throw e;
    }
  }

  private void adoptContract() {
    file.settings().adopt(client.rules().contract());
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
    file.enqueuing()
        .enqueue(operation, options.allowsDuplicate() || duplicateTypes.contains(operation.type()));
    enqueued(operation);
    return operation.id();
  }

  /**
   * Stores the operations of a group, all or none, unless the group is there already.
   *
   * @throws IllegalStateException if another group has its name
   */
  public void enqueue(OperationGroup group) {
    file.inserts().enqueue(group);
    group.operations().forEach(this::enqueued);
  }

  private void enqueued(Operation operation) {
    progress.enqueued(operation);
    if (!senders.isPaused()) {
      signal.work();
    }
  }

  /** Returns an operation; empty if the queue does not have it, or has forgotten it. */
  public Optional<QueuedOperation> find(String id) {
    return file.reader().find(id);
  }

  /**
   * Returns operations in these states, in the order in which they were enqueued: up to {@value
   * #MAX_LIST}, and fewer if they are large.
   */
  public List<QueuedOperation> list(OperationState... states) {
    return file.reader().list(all(states), Optional.empty(), MAX_LIST);
  }

  /** Returns the operations in these states that follow another one. */
  public List<QueuedOperation> listAfter(String id, OperationState... states) {
    return file.reader().list(all(states), Optional.of(id), MAX_LIST);
  }

  private static List<OperationState> all(OperationState... states) {
    return List.of(states.length == 0 ? OperationState.values() : states);
  }

  public long count(OperationState state) {
    return file.reader().count(state);
  }

  /** Returns what this queue did since it was opened. */
  public QueueCounts counts() {
    return progress.counts();
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
      long seen = signal.ends();
      OperationState state =
          file.reader().state(id).orElseThrow(() -> OperationCommands.absent(id));
      if (state.isEnd()) {
        return find(id).orElseThrow(() -> OperationCommands.absent(id));
      }
      if (!awaitEnd(seen, end)) {
        throw new TimeoutException("operation " + id + " is still " + state.word());
      }
    }
  }

  /** Waits until something has ended, here or perhaps in another process; false after the time. */
  private boolean awaitEnd(long seen, long endNanos) throws InterruptedException {
    long left = endNanos - System.nanoTime();
    if (left > 0) {
      signal.awaitEnd(seen, Duration.ofNanos(Math.min(left, POLL_INTERVAL.toNanos())));
    }
    return left > 0;
  }

  /** Returns whether an operation with this key succeeded within the last 24 hours. */
  public boolean hasSucceeded(String key) {
    return file.successes().hasSucceeded(key);
  }

  /** Remembers for 24 hours that the operation with this key succeeded, by another way. */
  public void markSuccess(String key) {
    file.successes().markSuccess(key);
  }

  /** Sends a failed operation again, with the same key: the server knows whether it took effect. */
  public void resend(String id) {
    commands.resend(id);
    signal.work();
  }

  /** Executes a failed operation again, under a new key: it takes effect even if it had before. */
  public void repeat(String id) {
    commands.repeat(id);
    signal.work();
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
    Optional<Operation> following = commands.edit(id, contentType, body);
    following.ifPresent(progress::enqueued);
    signal.work();
    return following.map(Operation::id).orElse(id);
  }

  /**
   * Gives an operation up that is pending or failed, and its group with it.
   *
   * @throws IllegalStateException if it is in another state, or its group is being sent
   */
  public void drop(String id) {
    List<String> dropped = commands.drop(id);
    sender.ended(List.of(id), false);
    sender.ended(dropped, false);
    signal.ended();
  }

  /** Sends nothing until {@link #resume}. */
  public void pause() {
    senders.pause(true);
  }

  /**
   * Starts to send, or goes on.
   *
   * @throws QueueException if operations were sent by another contract, as {@link Builder#open}
   */
  public void resume() {
    adoptContract();
    senders.pause(false);
    signal.work();
  }

  /** Returns why nothing is sent until the credentials change; empty if it is sent. */
  public Optional<String> parked() {
    return file.settings().parked();
  }

  /** Goes on after an answer of 401 or 403. */
  public void credentialsChanged() {
    file.settings().changeCredentials();
    signal.work();
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
    while (true) {
      long seen = signal.ends();
      if (!file.reader().hasUnsent()) {
        return true;
      }
      if (!awaitEnd(seen, end)) {
        return false;
      }
    }
  }

  /**
   * Ends sending, after the {@linkplain Builder#drainTime drain time}. An operation that is being
   * sent is sent again when the queue is opened next, with the same key.
   */
  @Override
  public void close() {
    boolean isInterrupted = false;
    try {
      boolean unused = drainTime.isZero() || signal.isClosed() || drain(drainTime);
    } catch (InterruptedException e) {
      isInterrupted = true;
    } finally {
      isInterrupted |= senders.stop(client.attemptTimeout());
      file.close();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
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
     * Seals requests and answers in the file. Ids, keys, types, ordering keys, groups, hosts and
     * errors stay readable.
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

    /**
     * Opens the queue, and starts to send.
     *
     * @throws QueueException if the file cannot be read or written, or has operations that were
     *     sent by another contract, whose server would not find their keys
     */
    public OfflineQueue open() {
      return new OfflineQueue(this);
    }
  }
}
