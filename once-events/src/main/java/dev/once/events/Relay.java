package dev.once.events;

import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.internal.Threads;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a log to a broker: every event at least once, each aggregate's in order. Any number of
 * processes may run the relay of one name; a lease in PostgreSQL decides which one publishes, and
 * another takes over when it is gone.
 */
public final class Relay implements AutoCloseable {
  /** A crash has the events of this time published again: a commit per batch costs more. */
  private static final Duration SAVE_INTERVAL = Duration.ofMillis(100);

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

  private final String name;
  private final EventLog log;
  private final ExecutorService readers;
  private final PageReader pages;
  private final EventPublisher publisher;
  private final CheckpointStore checkpoints;
  private final RelaySettings settings;
  private final RelayLease lease;
  private final Duration leaseTime;
  private final Duration saveInterval;
  private final RelayPauses pauses;
  private final RelayListener listener;
  private final RelayCounts counts = new RelayCounts();
  private final LongSupplier nanoTime;
  private final Thread thread;
  private volatile boolean closed;

  /** The lease and how far the log is published; null while another process has the lease. */
  private @Nullable RelayTerm term;

  private long reportedNanos;
  private boolean isFailing;
  private long notifiedNanos;

  private Relay(Builder builder) {
    // The lease is not renewed during a flush.
    this.leaseTime =
        builder.lease == null
            ? Collections.max(List.of(LEASE, builder.settings.flushTimeout().multipliedBy(3)))
            : builder.lease;
    TransactionRunner transactions = new TransactionRunner(builder.dataSource, leaseTime);
    this.name = builder.name;
    this.log = builder.log;
    this.readers =
        Executors.newSingleThreadExecutor(
            task -> Threads.daemon(task, "once-relay-" + builder.name + "-read"));
    this.pages =
        new PageReader(
            log, builder.settings.batchSize(), builder.readers == null ? readers : builder.readers);
    this.publisher = builder.publisher;
    this.checkpoints =
        builder.checkpoints == null
            ? new PostgresCheckpoints(transactions, builder.schema)
            : builder.checkpoints;
    this.settings = builder.settings;
    this.lease = new RelayLease(transactions, builder.schema, name, builder.owner, leaseTime);
    this.saveInterval = builder.saveInterval;
    this.pauses = new RelayPauses(log.hasLateEvents(), leaseTime);
    this.listener = builder.listener;
    this.nanoTime = builder.nanoTime;
    this.reportedNanos = nanoTime.getAsLong();
    this.thread = new Thread(this::run, "once-relay-" + name);
    this.thread.setDaemon(true);
  }

  /** Creates a builder for the relay of a log; {@code dataSource} decides which process runs it. */
  public static Builder builder(
      String name, EventLog log, EventPublisher publisher, DataSource dataSource) {
    return new Builder(name, log, publisher, dataSource);
  }

  /** Starts to publish, on a thread of its own. */
  public Relay start() {
    thread.start();
    return this;
  }

  /** Ends the relay after the events that it is publishing, and lets another process take over. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    Step before = Step.PUBLISHED;
    int repetitions = 0;
    while (!closed) {
      Step step = publishNext();
      repetitions = step == before ? repetitions + 1 : 0;
      before = step;
      pause(pauses.after(step, repetitions));
    }
    endTerm();
    readers.shutdownNow();
  }

  /** What came of an attempt to publish the next batch. */
  enum Step {
    PUBLISHED,
    /** There is no event after the position. */
    IDLE,
    /** Another process has the lease. */
    STANDBY,
    FAILED
  }

  /** Publishes the next batch, and saves the position after it if it is time. It never throws. */
  Step publishNext() {
    try {
      Step step = tryPublishNext();
      isFailing = false;
      report();
      return step;
    } catch (TakenOverException e) {
      term = null;
      return Step.STANDBY;
    } catch (Throwable e) { // Also an Error: nothing else would publish.
      failed(e);
      return Step.FAILED;
    }
  }

  /** What was published and not saved is published again. */
  private void failed(Throwable failure) {
    counts.failures.incrementAndGet();
    if (term != null) {
      term.mustTakeOver = true;
    }
    // Closing interrupts, and some clients throw exceptions of their own then.
    if (closed || !isTimeToNotify()) {
      return;
    }
    try {
      notify(it -> it.failed(name, failure));
    } catch (Throwable e) {
      // No memory is left for the report.
    }
  }

  /** Of failures in a row, the listener gets the first, and then one per metrics interval. */
  private boolean isTimeToNotify() {
    long now = nanoTime.getAsLong();
    boolean isTime = !isFailing || now - notifiedNanos >= settings.metricsInterval().toNanos();
    isFailing = true;
    notifiedNanos = isTime ? now : notifiedNanos;
    return isTime;
  }

  private Step tryPublishNext() throws InterruptedException {
    RelayTerm current = term == null ? beginTerm() : term;
    if (current == null) {
      return Step.STANDBY;
    }
    term = current;
    if (!keepLease(current)) {
      term = null;
      return Step.STANDBY;
    }
    if (current.mustTakeOver) {
      publisher.takeOver();
      current.mustTakeOver = false;
    }
    EventLog.Page page = pages.read(current.position);
    if (!page.events().isEmpty() || current.isTimeToLookBack(nanoTime.getAsLong())) {
      List<Event> late =
          log.late(current.position, settings.lookback(), settings.lookbackMaxKeys());
      if (!page.isLast()) {
        pages.readAhead(page.next());
      }
      counts.late.addAndGet(publish(current, late));
    }
    publish(current, page.events());
    current.position = page.next();
    if (current.isTimeToSave(nanoTime.getAsLong(), saveInterval)) {
      save(current);
    }
    return page.events().isEmpty() ? Step.IDLE : Step.PUBLISHED;
  }

  private @Nullable RelayTerm beginTerm() {
    long acquired = nanoTime.getAsLong();
    OptionalLong fence = lease.acquire();
    if (fence.isEmpty()) {
      return null;
    }
    Checkpoint checkpoint = load(fence.getAsLong());
    return new RelayTerm(
        fence.getAsLong(),
        checkpoint.position(),
        new RecentIds(settings.dedupMaxEvents(), checkpoint.recentIds()),
        acquired);
  }

  /** Loads the checkpoint, or ends the lease: this process would have to wait for its own. */
  private Checkpoint load(long fence) {
    try {
      return checkpoints.load(name);
    } catch (RuntimeException | Error e) {
      try {
        lease.end(fence);
      } catch (RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private int publish(RelayTerm current, List<Event> events) throws InterruptedException {
    List<Event> fresh = new ArrayList<>();
    for (Event event : events) {
      if (!current.recent.contains(event.id())) {
        fresh.add(event);
      }
    }
    counts.suppressed.addAndGet(events.size() - fresh.size());
    for (int from = 0; from < fresh.size(); from += settings.flushBatchSize()) {
      int to = Math.min(fresh.size(), from + settings.flushBatchSize());
      if (!keepLease(current)) {
        throw new TakenOverException(name);
      }
      List<Event> batch = fresh.subList(from, to);
      publisher.publish(batch, settings.flushTimeout());
      batch.forEach(it -> current.recent.add(it.id()));
      counts.published.addAndGet(batch.size());
    }
    return fresh.size();
  }

  /** Renews the lease in time, and returns whether this process still has it. */
  private boolean keepLease(RelayTerm current) {
    long now = nanoTime.getAsLong();
    if (now - current.renewedNanos < leaseTime.toNanos() / 4) {
      return true;
    }
    boolean renewed = lease.renew(current.fence);
    current.renewedNanos = now;
    return renewed;
  }

  private void save(RelayTerm current) {
    List<String> recent =
        log.hasLateEvents()
            ? current.recent.newest(settings.dedupCheckpointMaxEvents())
            : List.of();
    if (!checkpoints.save(name, new Checkpoint(current.position, current.fence, recent))) {
      throw new TakenOverException(name);
    }
    current.saved(nanoTime.getAsLong());
  }

  private void endTerm() {
    RelayTerm current = term;
    if (current != null) {
      boolean unused = Thread.interrupted();
      try {
        if (current.hasUnsaved()) {
          save(current);
        }
        lease.end(current.fence);
      } catch (TakenOverException e) {
        // The other process goes on after an earlier position.
      } catch (RuntimeException e) {
        notify(it -> it.failed(name, e)); // The lease expires.
      }
    }
  }

  private void report() {
    long now = nanoTime.getAsLong();
    if (now - reportedNanos >= settings.metricsInterval().toNanos()) {
      reportedNanos = now;
      RelayTerm current = term;
      RelayReport report =
          counts.report(
              name, current != null, current == null ? "-" : current.position, log.heldSince());
      notify(it -> it.report(report));
    }
  }

  private void notify(Consumer<RelayListener> notification) {
    Listeners.guarded(notification).accept(listener);
  }

  private void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      // Closed, which the loop sees.
    }
  }

  /** Another process has the lease. */
  private static final class TakenOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TakenOverException(String relay) {
      super("another process has taken over relay " + relay, null, false, false);
    }
  }

  /** Builds a relay; discarded after {@link #build}. */
  public static final class Builder {
    private final String name;
    private final EventLog log;
    private final EventPublisher publisher;
    private final DataSource dataSource;
    private @Nullable CheckpointStore checkpoints;
    private String schema = EventsSchema.DEFAULT_NAME;
    private String owner = UUID.randomUUID().toString();
    private RelaySettings settings = RelaySettings.DEFAULT;
    private RelayListener listener = RelayListener.logging();
    private @Nullable Duration lease;
    private @Nullable Executor readers;
    private Duration saveInterval = SAVE_INTERVAL;
    private LongSupplier nanoTime = System::nanoTime;

    private Builder(String name, EventLog log, EventPublisher publisher, DataSource dataSource) {
      Limits.text("name of a relay", name, 1, 100);
      this.name = name;
      this.log = log;
      this.publisher = publisher;
      this.dataSource = Objects.requireNonNull(dataSource, "a relay needs a data source");
    }

    /** Sets the PostgreSQL schema that {@link EventsSchema} created. */
    public Builder schema(String schema) {
      this.schema = schema;
      return this;
    }

    /** Sets where checkpoints are kept, if the log is not in PostgreSQL. */
    public Builder checkpoints(CheckpointStore checkpoints) {
      this.checkpoints = checkpoints;
      return this;
    }

    public Builder settings(RelaySettings settings) {
      this.settings = settings;
      return this;
    }

    public Builder listener(RelayListener listener) {
      this.listener = listener;
      return this;
    }

    /** Sets the name of this process in the table of relays; a random one by default. */
    public Builder owner(String owner) {
      this.owner = owner;
      return this;
    }

    /**
     * Sets how long a crashed process blocks the relay at most; by default 30 seconds, or three
     * times the timeout of a flush if that is longer. A flush must not take longer than a lease.
     */
    public Builder lease(Duration lease) {
      Limits.range("lease", lease, Duration.ofMillis(100), Duration.ofHours(1));
      this.lease = lease;
      return this;
    }

    /** Sets the clock by which the lease is renewed in time. */
    Builder nanoTime(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      return this;
    }

    /** Sets how often the position is saved while events are published. */
    Builder saveInterval(Duration interval) {
      this.saveInterval = interval;
      return this;
    }

    /** Sets what reads the next page while the last one is published. */
    Builder readers(Executor readers) {
      this.readers = readers;
      return this;
    }

    public Relay build() {
      return new Relay(this);
    }
  }
}
