package dev.once.events;

import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.internal.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Handles each event once. A source of events, such as a Kafka consumer, submits what it receives
 * and goes on receiving; each event gets its {@link Settlement} when it has been handled, or needs
 * no handling. The source commits the position before its first event without a settlement.
 *
 * <p>Why events are submitted and not handed over in blocking batches: with a batch, one slow event
 * would keep the source from receiving for other aggregates. Here, pending events are claimed
 * together in one statement whenever the last claim has its answer, and settled together in the
 * same way, so that the statements are as few as with batches.
 *
 * <p>Events of one aggregate are handled one after the other in the order of their sequences, those
 * of different aggregates concurrently. A failed event is retried by the consumer itself; later
 * events of its aggregate wait, and all others go on.
 *
 * <p>Thread-safe. Submitting never waits for the database. No thread keeps the process alive.
 */
public final class EventConsumer implements AutoCloseable {
  /** The time that interrupted effects have to end. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

  private final ConsumerContext context;
  private final AggregateQueues queues;
  private final Set<EventLease> leases = ConcurrentHashMap.newKeySet();
  private final SettlementWriter settlements;
  private final EffectThreads effects;
  private final Outage outage;
  private final Thread claiming;
  private final Optional<Heartbeat> heartbeat;
  private final Duration drain;
  private volatile boolean closing;

  private EventConsumer(Builder builder, Registry registry, RunnerFactory runners) {
    var listener = Listeners.<ConsumerEvent>guarded(builder.listener::on);
    this.drain = builder.drain;
    this.queues =
        new AggregateQueues(builder.maxPending, builder.maxPendingBytes, System::nanoTime);
    this.context = new ConsumerContext(builder.handler, queues, listener, () -> closing);
    this.settlements = new SettlementWriter(context, registry, leases);
    AttemptPolicy policy = new AttemptPolicy(context, builder.retries, builder.sequences);
    this.effects =
        new EffectThreads(
            context,
            runners.create(context, policy, settlements),
            settlements,
            builder.concurrency);
    this.outage = new Outage(context, builder.outage, builder.checkInterval);
    Claimer claimer =
        new Claimer(
            context,
            registry,
            builder.sequences,
            builder.retries.sink(),
            outage,
            leases,
            settlements,
            effects::add);
    this.claiming =
        Threads.daemon(claimer::claimUntilClosed, "once-events-" + builder.handler + "-claim");
    this.heartbeat =
        registry instanceof PostgresRegistry it
            ? Optional.of(new Heartbeat(context, it, leases))
            : Optional.empty();
    if (heartbeat.isEmpty()) {
      context.report(new ConsumerEvent.RegistryDisabled(builder.handler, InMemoryRegistry.LOST));
    }
  }

  /** Creates the runner of effects. */
  private interface RunnerFactory {
    EventEffectRunner create(
        ConsumerContext context, AttemptPolicy policy, SettlementWriter writer);
  }

  /**
   * Returns a builder of a consumer.
   *
   * @param handler the name under which the registry knows what was handled: the same in all
   *     processes and releases; letters, digits, {@code . _ -}, at most 100
   */
  public static Builder named(String handler) {
    return new Builder(handler);
  }

  private EventConsumer start() {
    settlements.start();
    effects.start();
    heartbeat.ifPresent(Heartbeat::start);
    claiming.start();
    return this;
  }

  /**
   * Submits an event.
   *
   * @return its settlement. It fails only by {@link RegistryOutage#FAIL_FAST}. Cancelling it
   *     withdraws an event whose effect has not started, such as one of a partition that was
   *     revoked. Actions that depend on it run on the consumer's threads and have to be quick.
   * @throws RejectedExecutionException if too many events are pending, or too much data, or this is
   *     closed
   */
  public CompletableFuture<Settlement> submit(Event event) {
    return submit(List.of(event)).get(0);
  }

  /** Submits several events, which are claimed together. Otherwise like {@link #submit(Event)}. */
  public List<CompletableFuture<Settlement>> submit(List<Event> events) {
    return submitPending(events.stream().map(PendingEvent::new).toList());
  }

  /**
   * Submits several events with headers, which their dead letters get. Otherwise like {@link
   * #submit(List)}.
   */
  public List<CompletableFuture<Settlement>> submitReceived(List<ReceivedEvent> events) {
    return submitPending(events.stream().map(PendingEvent::new).toList());
  }

  private List<CompletableFuture<Settlement>> submitPending(List<PendingEvent> pending) {
    queues.add(pending);
    // After they were added: from the failure on, the claiming thread fails what it finds.
    outage
        .fatal()
        .ifPresent(it -> pending.forEach(event -> event.settlement().completeExceptionally(it)));
    return pending.stream().map(PendingEvent::settlement).toList();
  }

  /**
   * Tells the listener of something that a source received and that is no event. For sources, after
   * they have put it aside.
   *
   * @param place where the source has it, such as topic, partition and offset
   */
  public void reportUnreadable(String place, String reason) {
    context.report(new ConsumerEvent.Unreadable(context.handler(), place, reason));
  }

  /**
   * Returns whether the registry cannot be reached, so that no event should be submitted now. In an
   * outage under {@link RegistryOutage#DEAD_LETTER} events are still accepted, until half of those
   * that may be pending wait for the registry.
   */
  public boolean isPaused() {
    return outage.cause() != null
        && (outage.policy() != RegistryOutage.DEAD_LETTER || queues.isHalfFull());
  }

  /** Returns whether this was closed, so that every event is rejected. */
  public boolean isClosed() {
    return queues.isClosed();
  }

  /** Returns how many events were submitted and are not settled. */
  public int pending() {
    return queues.size();
  }

  /**
   * Claims no more events and waits for the running effects; those that take longer than the drain
   * time are interrupted. Events that are not settled by then are {@link Settlement.Open}.
   */
  @Override
  public void close() {
    closing = true;
    queues.close();
    try {
      claiming.join(drain.plus(INTERRUPT_TIMEOUT).toMillis());
      effects.requestEnd();
      if (!effects.awaitEnd(System.nanoTime() + drain.toNanos())) {
        leases.forEach(EventLease::stop);
        effects.awaitEnd(System.nanoTime() + INTERRUPT_TIMEOUT.toNanos());
      }
      settlements.close();
    } catch (InterruptedException e) { // The caller does not wait any longer.
      leases.forEach(EventLease::stop);
      Thread.currentThread().interrupt();
    } finally {
      claiming.interrupt();
      heartbeat.ifPresent(Heartbeat::close);
      queues.pending().forEach(it -> it.settlement().complete(new Settlement.Open(it.event())));
    }
  }

  /** The settings of {@link EventConsumer}. */
  public static final class Builder {
    public static final int DEFAULT_CONCURRENCY = 16;
    public static final int MAX_CONCURRENCY = 256;
    public static final int DEFAULT_MAX_PENDING = 10_000;
    public static final int MAX_PENDING = 1_000_000;
    public static final long DEFAULT_MAX_PENDING_BYTES = 128L << 20;
    public static final long MAX_PENDING_BYTES = 64L << 30;
    public static final int DEFAULT_BATCH_SIZE = 32;
    public static final int MAX_BATCH_SIZE = 1000;
    public static final Duration MIN_CHECK_INTERVAL = Duration.ofMillis(10);
    public static final Duration MAX_CHECK_INTERVAL = Duration.ofMinutes(5);
    public static final Duration MAX_DRAIN = Duration.ofHours(1);

    private static final Pattern HANDLER = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    private final String handler;
    private @Nullable ProcessedEvents registry;
    private boolean withoutRegistry;
    private EventRetryPolicy retries = EventRetryPolicy.SKIP;
    private SequenceRule sequences = SequenceRule.HIGHER;
    private RegistryOutage outage = RegistryOutage.PAUSE;
    private Duration checkInterval = DEFAULT_CHECK_INTERVAL;
    private int concurrency = DEFAULT_CONCURRENCY;
    private int batchSize = DEFAULT_BATCH_SIZE;
    private int maxPending = DEFAULT_MAX_PENDING;
    private long maxPendingBytes = DEFAULT_MAX_PENDING_BYTES;
    private Duration drain = DEFAULT_DRAIN;
    private ConsumerListener listener = ConsumerListener.NONE;
    private @Nullable EventTransactions transactions;

    private Builder(String handler) {
      // No colon: event stores reserve sequences in the same table under names that have one.
      if (!HANDLER.matcher(handler).matches()) {
        throw new IllegalArgumentException(
            "handler must have 1 to 100 letters, digits, dots, underscores or minus signs, got "
                + handler);
      }
      this.handler = handler;
    }

    /** Sets the registry, which every consumer has unless it is {@link #withoutRegistry}. */
    public Builder registry(ProcessedEvents registry) {
      this.registry = registry;
      return this;
    }

    /**
     * Works without a registry, for effects that are idempotent. Then only the sequences that this
     * process remembers keep an event from being handled twice; the listener is told at start.
     */
    public Builder withoutRegistry() {
      this.withoutRegistry = true;
      return this;
    }

    /** Sets attempts and delays, {@link EventRetryPolicy#SKIP} by default. */
    public Builder retries(EventRetryPolicy retries) {
      this.retries = retries;
      return this;
    }

    /** Sets which sequences are accepted, {@link SequenceRule#HIGHER} by default. */
    public Builder sequences(SequenceRule rule) {
      this.sequences = rule;
      return this;
    }

    /** Sets what happens while the registry cannot be reached, to pause by default. */
    public Builder onOutage(RegistryOutage policy) {
      this.outage = policy;
      return this;
    }

    /** Sets how often the registry is tried while it cannot be reached, every second by default. */
    public Builder checkInterval(Duration interval) {
      Limits.range("check interval", interval, MIN_CHECK_INTERVAL, MAX_CHECK_INTERVAL);
      this.checkInterval = interval;
      return this;
    }

    /** Sets how many aggregates are handled at the same time, 16 by default. */
    public Builder concurrency(int threads) {
      Limits.range("concurrency", threads, 1, MAX_CONCURRENCY);
      this.concurrency = threads;
      return this;
    }

    /**
     * Sets how many events may share a transaction if their effects are transactional, 32 by
     * default. Those of one aggregate are not divided.
     */
    public Builder batchSize(int events) {
      Limits.range("batch size", events, 1, MAX_BATCH_SIZE);
      this.batchSize = events;
      return this;
    }

    /** Sets how many submitted events may be unsettled, 10,000 by default. */
    public Builder maxPending(int events) {
      Limits.range("pending events", events, 1, MAX_PENDING);
      this.maxPending = events;
      return this;
    }

    /**
     * Sets how many bytes of data unsettled events may have together, 128 MiB by default: all of it
     * is in memory.
     */
    public Builder maxPendingBytes(long bytes) {
      Limits.range("bytes of pending events", bytes, EventData.MAX_DATA_BYTES, MAX_PENDING_BYTES);
      this.maxPendingBytes = bytes;
      return this;
    }

    /** Sets how long {@link EventConsumer#close} waits for effects, 30 s by default. */
    public Builder drain(Duration drain) {
      Limits.range("time for draining", drain, Duration.ZERO, MAX_DRAIN);
      this.drain = drain;
      return this;
    }

    /** Sets the transactions of transactional effects, those of the registry's by default. */
    public Builder transactions(EventTransactions transactions) {
      this.transactions = transactions;
      return this;
    }

    public Builder listener(ConsumerListener listener) {
      this.listener = listener;
      return this;
    }

    /** Starts a consumer whose effects are outside the registry's database. */
    public EventConsumer start(EventEffect effect) {
      Registry used =
          withoutRegistry
              ? new InMemoryRegistry(sequences.needsEvery())
              : new PostgresRegistry(requireRegistry(), handler, sequences.needsEvery());
      return start(
          used,
          (context, policy, writer) -> new LeasedEffectRunner(context, effect, policy, writer));
    }

    /** Starts a consumer whose effects commit with the registry's rows. */
    public EventConsumer startTransactional(TransactionalEventEffect effect) {
      if (withoutRegistry) {
        throw new IllegalStateException(
            "transactional effects need a registry: they commit with its rows");
      }
      PostgresRegistry used =
          new PostgresRegistry(requireRegistry(), handler, sequences.needsEvery());
      EventTransactions chosen =
          transactions == null ? new JdbcEventTransactions(used.dataSource()) : transactions;
      return start(
          used,
          (context, policy, writer) ->
              new TransactionalEffectRunner(
                  context, effect, policy, used, chosen, writer, batchSize));
    }

    private EventConsumer start(Registry used, RunnerFactory runners) {
      if (outage == RegistryOutage.DEAD_LETTER && retries.sink().isEmpty()) {
        throw new IllegalStateException(
            "events cannot be dead-lettered in an outage: set retries(EventRetryPolicy.deadLetter(sink))");
      }
      return new EventConsumer(this, used, runners).start();
    }

    private ProcessedEvents requireRegistry() {
      if (registry == null) {
        throw new IllegalStateException(
            "handler %s has no registry: set registry(…) or withoutRegistry()".formatted(handler));
      }
      return registry;
    }
  }
}
