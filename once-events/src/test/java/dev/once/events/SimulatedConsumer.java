package dev.once.events;

import dev.once.StoreException;
import dev.once.events.Registry.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A process with the parts of a consumer, without their threads: each step is what one of them
 * would do next. It may crash between any two steps, and in the middle of an effect.
 */
final class SimulatedConsumer {
  private final PipelineSimulation simulation;
  private final SimulatedHandler handler;
  private final String owner;
  private final PostgresRegistry registry;
  private final AggregateQueues queues;
  private final Set<EventLease> leases = ConcurrentHashMap.newKeySet();
  private final List<List<EventLease>> claimed = new ArrayList<>();
  private final SettlementWriter settlements;
  private final Claimer claimer;
  private final EventEffectRunner runner;

  /** What was received, by partition and offset. */
  private final Map<Integer, TreeMap<Integer, CompletableFuture<Settlement>>> received =
      new HashMap<>();

  private final Map<Integer, Integer> positions = new HashMap<>();
  private boolean isCrashed;
  private boolean isPaused;

  SimulatedConsumer(PipelineSimulation simulation, SimulatedHandler handler, int number) {
    this.simulation = simulation;
    this.handler = handler;
    this.owner = handler.name() + "-" + number;
    ProcessedEvents events =
        ProcessedEvents.builder(((TestSource) this::connect).toDataSource())
            .schema("sim")
            .owner(owner)
            .build();
    this.registry = new PostgresRegistry(events, handler.name(), handler.sequences().needsEvery());
    this.queues = new AggregateQueues(10_000, 1 << 20, simulation.clock());
    ConsumerContext context =
        new ConsumerContext(
            handler.name(), queues, it -> simulation.note(owner + ": " + it), () -> false);
    Registry faulty = new FaultyRegistry();
    this.settlements = new SettlementWriter(context, faulty, leases);
    AttemptPolicy policy = new AttemptPolicy(context, handler.retries(this), handler.sequences());
    this.runner =
        handler.isTransactional()
            ? new TransactionalEffectRunner(
                context,
                this::applyInTransaction,
                policy,
                registry,
                new JdbcEventTransactions(registry.dataSource()),
                settlements,
                3)
            : new LeasedEffectRunner(context, this::apply, policy, settlements);
    this.claimer =
        new Claimer(
            context,
            faulty,
            handler.sequences(),
            Optional.empty(),
            new Outage(context, RegistryOutage.PAUSE, Duration.ZERO),
            leases,
            settlements,
            claimed::add);
  }

  String owner() {
    return owner;
  }

  boolean isCrashed() {
    return isCrashed;
  }

  /** Returns whether the whole process stands still, in the middle of an effect. */
  boolean isPaused() {
    return isPaused;
  }

  void crash() {
    isCrashed = true;
  }

  void requireAlive() {
    if (isCrashed) {
      throw new IllegalStateException("this process has crashed");
    }
  }

  /** Receives records of the partitions that it believes to have. */
  void poll(int max) {
    for (int partition = 0; partition < SimulatedBroker.PARTITIONS; partition++) {
      if (!handler.isAssigned(partition, this)) {
        forget(partition);
        continue;
      }
      int position = positions.computeIfAbsent(partition, handler::committed);
      int end = Math.min(simulation.broker().size(partition), position + max);
      List<PendingEvent> events = new ArrayList<>();
      for (int offset = position; offset < end; offset++) {
        PendingEvent event = new PendingEvent(simulation.broker().record(partition, offset));
        events.add(event);
        received.computeIfAbsent(partition, key -> new TreeMap<>()).put(offset, event.settlement());
      }
      positions.put(partition, end);
      queues.add(events);
    }
  }

  /** Events of a revoked partition are withdrawn, if their effects have not started. */
  private void forget(int partition) {
    positions.remove(partition);
    Map<Integer, CompletableFuture<Settlement>> left = received.remove(partition);
    if (left != null) {
      left.values().forEach(it -> it.cancel(false));
    }
  }

  void claim() {
    claimer.claimDue();
    // The queues' order depends on random delays, which the seed does not determine.
    claimed.sort(Comparator.comparing(it -> it.get(0).event().aggregate().key()));
  }

  /** Runs the effects of one aggregate, or of several if they share a transaction. */
  boolean runEffects() {
    if (claimed.isEmpty()) {
      return false;
    }
    List<List<EventLease>> batch = new ArrayList<>();
    batch.add(claimed.remove(simulation.random().nextInt(claimed.size())));
    if (handler.isTransactional() && !claimed.isEmpty() && simulation.random().nextBoolean()) {
      batch.add(claimed.remove(0));
    }
    runner.run(batch);
    boolean unused = Thread.interrupted(); // Of a lost lease.
    return true;
  }

  void settle() {
    settlements.write();
  }

  void renew() {
    List<EventLease> due = leases.stream().filter(it -> !it.isLost()).toList();
    if (due.isEmpty()) {
      return;
    }
    try (Connection connection = simulation.dataSource().getConnection()) {
      Renewal answer = registry.renew(connection, due);
      due.stream().filter(it -> !answer.held().contains(it)).forEach(EventLease::lose);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    boolean unused = Thread.interrupted(); // Of an effect that is paused below on this stack.
  }

  /** Notices that leases have ended. */
  void loseLeases() {
    leases.forEach(EventLease::lose);
    boolean unused = Thread.interrupted();
  }

  /**
   * Commits the offset before the first record that is not settled. A broker refuses the commit of
   * a process that has lost its partition, which learns of it in this way.
   */
  void commit() {
    for (var entry : List.copyOf(received.entrySet())) {
      int partition = entry.getKey();
      if (!handler.isAssigned(partition, this)) {
        forget(partition);
        continue;
      }
      TreeMap<Integer, CompletableFuture<Settlement>> records = entry.getValue();
      while (!records.isEmpty() && isSettled(records.firstEntry().getValue())) {
        handler.commit(partition, records.pollFirstEntry().getKey() + 1);
      }
    }
  }

  boolean isIdle() {
    return queues.size() == 0;
  }

  private static boolean isSettled(CompletableFuture<Settlement> settlement) {
    return settlement.isDone()
        && !settlement.isCompletedExceptionally()
        && settlement.join().isSettled();
  }

  private void apply(Event event, EventExecution execution) {
    interruptible(event, "before the effect");
    simulation.check(() -> handler.applied(this, event, execution.fence()));
    interruptible(event, "after the effect");
    handler.failAtRandom(event);
  }

  private void applyInTransaction(Event event, Connection connection) throws SQLException {
    interruptible(event, "before the effect");
    handler.applied(event, connection);
    interruptible(event, "after the effect");
    handler.failAtRandom(event);
  }

  /** Crashes, pauses, runs other parts of this process meanwhile, or does nothing. */
  private void interruptible(Event event, String where) {
    String what = owner + " " + where + " of " + event.id();
    if (simulation.crashes(what)) {
      crash();
    } else {
      isPaused = simulation.random().nextBoolean();
      simulation.pause(what);
      isPaused = false;
    }
    requireAlive();
  }

  /** A connection whose commit may fail, after or without having taken effect. */
  private Connection connect() throws SQLException {
    Connection connection = simulation.dataSource().getConnection();
    if (!handler.isTransactional()) {
      return connection;
    }
    return TestSource.intercept(
        connection,
        (method, call) -> {
          if (!method.equals("commit")) {
            return call.run();
          }
          requireAlive();
          int fault = simulation.fault(8);
          if (fault == 0) {
            throw new SQLException("the commit did not arrive", "08006");
          }
          Object result = call.run();
          if (fault == 1) {
            throw new SQLException("the answer to the commit was lost", "08006");
          }
          return result;
        });
  }

  /** Loses requests and answers. */
  private final class FaultyRegistry implements Registry {
    @Override
    public List<ClaimAnswer> claim(List<EventClaimRequest> requests) {
      return faulty(
          () -> {
            List<ClaimAnswer> answers = registry.claim(requests);
            for (int i = 0; i < answers.size(); i++) {
              simulation.note(
                  owner + ": claim of " + requests.get(i).event() + ": " + answers.get(i));
            }
            return answers;
          });
    }

    @Override
    public Map<EventLease, SettleAnswer> settle(List<SettleRequest> requests) {
      return faulty(
          () -> {
            Map<EventLease, SettleAnswer> answers = registry.settle(requests);
            for (SettleRequest it : requests) {
              simulation.note(
                  "%s: settling %s as %s: %s"
                      .formatted(owner, it.lease().event(), it.result(), answers.get(it.lease())));
            }
            return answers;
          });
    }

    @Override
    public Duration lease() {
      return registry.lease();
    }

    private <T> T faulty(Supplier<T> call) {
      requireAlive();
      int fault = simulation.fault(12);
      if (fault == 0) {
        throw new StoreException("the request was lost", null);
      }
      T answer = call.get();
      if (fault == 1) {
        throw new StoreException("the answer was lost", null);
      }
      return answer;
    }
  }
}
