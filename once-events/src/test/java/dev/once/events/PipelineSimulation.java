package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jdbc.internal.TransactionRunner;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writers, relays, a broker and consumers, all on one thread. The parts that decide are the real
 * ones: the functions in the database, {@link Relay}, {@link Claimer}, the runners of effects,
 * {@link SettlementWriter}; only their threads, the broker and the storage of objects are replaced.
 * A pause in the middle of a call is a call of the others from there. The seed alone determines
 * what happens.
 */
final class PipelineSimulation {
  private static final Duration LEASE = ProcessedEvents.DEFAULT_LEASE.plusSeconds(1);
  private static final Duration TICK = Duration.ofSeconds(10);
  private static final int AGGREGATES = 3;
  private static final int STEPS = 80;
  private static final int MAX_ROUNDS = 60;
  private static final int MAX_DEPTH = 2;

  private final DataSource dataSource;
  private final String history;
  private final Random random;
  private final SimulationClock clock;
  private final SimulatedWriters writers;
  private final SimulatedBroker broker;
  private final List<SimulatedRelay> relays = new ArrayList<>();
  private final List<SimulatedHandler> handlers = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final List<String> savedPositions = new ArrayList<>();
  private List<Event> seenLog = List.of();
  private @Nullable AssertionError violation;
  private boolean isHealed;
  private boolean hasLostLeases;
  private int depth;

  PipelineSimulation(DataSource dataSource, long seed, int run) {
    this.dataSource = dataSource;
    this.history = "h" + Long.toUnsignedString(seed, 36) + "x" + run + "-";
    this.random = new Random(seed);
    this.clock = new SimulationClock(dataSource, history);
    this.broker = new SimulatedBroker(random);
    this.writers =
        random.nextBoolean()
            ? new SimulatedTransactions(random, dataSource, history, AGGREGATES)
            : new SimulatedObjects(random, dataSource, history, AGGREGATES);
    relays.add(new SimulatedRelay(this, history));
    relays.add(new SimulatedRelay(this, history));
    SimulatedHandler.Kind[] kinds = SimulatedHandler.Kind.values();
    int first = random.nextInt(kinds.length);
    handlers.add(new SimulatedHandler(this, history + "one", kinds[first]));
    handlers.add(new SimulatedHandler(this, history + "two", kinds[(first + 1) % kinds.length]));
  }

  void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
    }
    finish();
  }

  DataSource dataSource() {
    return dataSource;
  }

  String history() {
    return history;
  }

  Random random() {
    return random;
  }

  SimulationClock clock() {
    return clock;
  }

  SimulatedWriters writers() {
    return writers;
  }

  SimulatedBroker broker() {
    return broker;
  }

  /** Returns whether leases have ended, so that attempts may have ended without a failure. */
  boolean hasLostLeases() {
    return hasLostLeases;
  }

  /** Remembers what happens, for people. */
  void note(String what) {
    trace.add(what);
  }

  /** Returns what has happened. */
  List<String> trace() {
    return trace;
  }

  /** Returns 0 to {@code odds} - 1 at random; never 0 or 1 when faults have ended. */
  int fault(int odds) {
    return isHealed ? odds : random.nextInt(odds);
  }

  boolean crashes(String where) {
    boolean isCrash = fault(40) == 0;
    if (isCrash) {
      trace.add("crash: " + where);
    }
    return isCrash;
  }

  /** Lets the others go on from here, perhaps for longer than a lease. */
  void pause(String where) {
    if (depth < MAX_DEPTH && fault(8) == 0) {
      trace.add("pause: " + where);
      depth++;
      int steps = 1 + random.nextInt(8);
      for (int i = 0; i < steps; i++) {
        step();
      }
      depth--;
      trace.add("resume: " + where);
    }
  }

  /** Runs a check inside code that would take its failure for a fault, and handle it. */
  void check(Runnable check) {
    try {
      check.run();
    } catch (AssertionError e) {
      violation = violation == null ? e : violation;
      throw e;
    }
  }

  private void requireNoViolation() {
    if (violation != null) {
      throw violation;
    }
  }

  private void step() {
    requireNoViolation();
    int what = random.nextInt(40);
    trace.add(depth + " step " + what);
    if (what < 8) {
      writers.step();
      writers.step();
    } else if (what < 13) {
      relayStep();
      relayStep();
    } else if (what < 33) {
      consumerStep(handlers.get(random.nextInt(handlers.size())));
    } else {
      disturb(what);
    }
  }

  private void disturb(int what) {
    switch (what) {
      case 33 -> elapse(LEASE);
      case 34, 35 -> clock.elapse(TICK);
      case 36, 37 -> handlers.get(random.nextInt(handlers.size())).rebalance();
      case 38 -> {
        handlers.get(random.nextInt(handlers.size())).anyProcess().crash();
        requireStableLog();
      }
      default -> {
        switch (random.nextInt(4)) {
          case 0, 1 -> handlers.get(random.nextInt(handlers.size())).redriveAny();
          case 2 -> rollBackCheckpoint();
          default -> purge();
        }
      }
    }
  }

  private void relayStep() {
    int any = random.nextInt(relays.size());
    if (relays.get(any).isCrashed()) {
      relays.set(any, new SimulatedRelay(this, history));
    }
    if (!relays.get(any).isRunning()) {
      relays.get(any).step();
    }
  }

  /** One process does what its threads do next, or a part of that. */
  private void consumerStep(SimulatedHandler handler) {
    SimulatedConsumer process = handler.anyProcess();
    if (random.nextInt(3) > 0) {
      process.poll(1 + random.nextInt(6));
    }
    if (random.nextInt(4) > 0) {
      process.claim();
    }
    for (int runs = random.nextInt(3); runs > 0 && !process.isCrashed(); runs--) {
      process.runEffects();
    }
    if (random.nextInt(3) > 0 && !process.isCrashed()) {
      process.settle();
    }
    if (random.nextInt(3) == 0 && !process.isCrashed()) {
      process.renew();
    }
    if (random.nextInt(3) == 0 && !process.isCrashed()) {
      process.commit();
    }
  }

  /**
   * Lets all leases end. Owners of partitions claim what is free then: an event that is not claimed
   * for another lease may be overtaken, which would be no fault.
   */
  private void elapse(Duration lease) {
    hasLostLeases = true;
    List<SimulatedConsumer> owners = new ArrayList<>();
    for (SimulatedHandler handler : handlers) {
      handler.requireOwners();
      handler.owners().stream().filter(it -> !owners.contains(it)).forEach(owners::add);
    }
    owners.forEach(it -> it.poll(Integer.MAX_VALUE / 2));
    clock.elapse(lease);
    for (SimulatedHandler handler : handlers) {
      for (SimulatedConsumer process : handler.processes()) {
        if (!process.isPaused() && random.nextInt(4) > 0) {
          process.loseLeases();
        }
      }
    }
    boolean wasHealed = isHealed;
    isHealed = true;
    owners.forEach(SimulatedConsumer::claim);
    isHealed = wasHealed;
  }

  /** Deletes what is done, so that only sequences tell which events were handled. */
  private void purge() {
    handlers.forEach(SimulatedHandler::rememberStates);
    new PurgeEventsStatement("sim", Duration.ZERO).run(new TransactionRunner(dataSource));
  }

  /** An operator sets the checkpoint back. */
  private void rollBackCheckpoint() {
    if (!savedPositions.isEmpty()) {
      String earlier = savedPositions.get(random.nextInt(savedPositions.size()));
      new Sql(dataSource)
          .execute(
              "UPDATE sim.relay SET position = '%s' WHERE name = '%s'".formatted(earlier, history));
    }
  }

  /** Checks that all events up to a saved position are in the broker. */
  void saved(Checkpoint checkpoint) {
    savedPositions.add(checkpoint.position());
    List<Event> passed = readLog(EventLog.START);
    Set<String> after = Set.copyOf(names(readLog(checkpoint.position())));
    passed.removeIf(it -> after.contains(it.toString()));
    assertThat(passed).as("published before %s was saved", checkpoint).allMatch(broker::has);
  }

  /** Checks that what was read before is still there, in the same order. */
  private void requireStableLog() {
    List<Event> log = readLog(EventLog.START);
    assertThat(log.size()).isGreaterThanOrEqualTo(seenLog.size());
    assertThat(names(log.subList(0, seenLog.size()))).as("the log").isEqualTo(names(seenLog));
    Map<Aggregate, Long> last = new HashMap<>();
    for (Event event : log) {
      Long before = last.put(event.aggregate(), event.sequence());
      assertThat(before == null || before < event.sequence()).as("order of %s", event).isTrue();
    }
    seenLog = log;
  }

  private static List<String> names(List<Event> events) {
    return events.stream().map(Event::toString).toList();
  }

  private List<Event> readLog(String after) {
    List<Event> log = new ArrayList<>();
    EventLog.Page page = writers.log().read(after, 50);
    while (!page.events().isEmpty()) {
      log.addAll(page.events());
      page = writers.log().read(page.next(), 50);
    }
    return log;
  }

  /** Ends the faults, lets everything be published and handled, and compares. */
  private void finish() {
    trace.add("finish");
    writers.finish();
    isHealed = true;
    broker.heal();
    elapse(LEASE);
    boolean isBusy = true;
    for (int round = 0; isBusy; round++) {
      requireNoViolation();
      assertThat(round).as("rounds until everything is handled").isLessThan(MAX_ROUNDS);
      isBusy = publishAll() || !writers.committed().stream().allMatch(broker::has);
      elapse(LEASE);
      for (SimulatedHandler handler : handlers) {
        isBusy |= handleAll(handler);
      }
    }
    requireNoViolation();
    requireStableLog();
    assertThat(names(seenLog))
        .as("the log has all that was committed")
        .containsExactlyInAnyOrderElementsOf(names(writers.committed()));
    handlers.forEach(it -> it.requireComplete(seenLog));
  }

  private boolean publishAll() {
    boolean isBusy = false;
    for (int i = 0; i < relays.size(); i++) {
      if (relays.get(i).isCrashed()) {
        relays.set(i, new SimulatedRelay(this, history));
      }
      while (relays.get(i).step()) {
        isBusy = true;
      }
    }
    return isBusy;
  }

  private boolean handleAll(SimulatedHandler handler) {
    handler.requireOwners();
    boolean isBusy = false;
    for (SimulatedConsumer process : List.copyOf(handler.processes())) {
      if (!process.isCrashed()) {
        process.poll(Integer.MAX_VALUE / 2);
        process.claim();
        while (process.runEffects()) {
          isBusy = true;
        }
        process.settle();
        process.commit();
        isBusy |= !process.isIdle();
      }
    }
    return isBusy;
  }
}
