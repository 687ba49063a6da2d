package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jdbc.internal.Parameters;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A handler in several processes: which of them has which partition, how far its offsets are
 * committed, what its effects did, and whether that keeps the promises.
 */
final class SimulatedHandler {
  private static final int ATTEMPTS = 3;
  private static final int PROCESSES = 2;

  /** The ways in which a handler may work. */
  enum Kind {
    LEASED,
    EVERY,
    TRANSACTIONAL
  }

  private final PipelineSimulation simulation;
  private final String name;
  private final Kind kind;
  private final List<SimulatedConsumer> processes = new ArrayList<>();
  private final SimulatedConsumer[] owners = new SimulatedConsumer[SimulatedBroker.PARTITIONS];
  private final int[] committed = new int[SimulatedBroker.PARTITIONS];
  private int started;

  // What has been observed.
  private final Map<String, Event> applied = new LinkedHashMap<>();
  private final Set<String> deadLetters = new HashSet<>();
  private final Set<String> redriven = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private final Map<String, String> states = new HashMap<>();
  private final Map<String, String> errors = new HashMap<>();

  SimulatedHandler(PipelineSimulation simulation, String name, Kind kind) {
    this.simulation = simulation;
    this.name = name;
    this.kind = kind;
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(new SimulatedConsumer(simulation, this, ++started));
    }
    rebalance();
  }

  String name() {
    return name;
  }

  boolean isTransactional() {
    return kind == Kind.TRANSACTIONAL;
  }

  SequenceRule sequences() {
    return kind == Kind.EVERY
        ? SequenceRule.every(Duration.ofSeconds(5), SequenceRule.Missing.ACCEPT)
        : SequenceRule.HIGHER;
  }

  EventRetryPolicy retries(SimulatedConsumer process) {
    EventRetryPolicy policy =
        kind == Kind.EVERY
            ? EventRetryPolicy.deadLetter(
                letter -> {
                  process.requireAlive();
                  deadLetters.add(letter.event().id());
                })
            : EventRetryPolicy.SKIP;
    return policy.withAttempts(ATTEMPTS).withDelays(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  /** Returns a process that does not stand still. */
  SimulatedConsumer anyProcess() {
    restartCrashed();
    List<SimulatedConsumer> able = processes.stream().filter(it -> !it.isPaused()).toList();
    if (able.isEmpty()) {
      processes.add(new SimulatedConsumer(simulation, this, ++started));
      return processes.get(processes.size() - 1);
    }
    return able.get(random().nextInt(able.size()));
  }

  List<SimulatedConsumer> processes() {
    return processes;
  }

  private void restartCrashed() {
    for (int i = 0; i < processes.size(); i++) {
      if (processes.get(i).isCrashed()) {
        processes.set(i, new SimulatedConsumer(simulation, this, ++started));
      }
    }
  }

  /** Gives each partition to any process. The earlier owner notices that later. */
  void rebalance() {
    for (int i = 0; i < owners.length; i++) {
      owners[i] = anyProcess();
    }
  }

  /** Takes partitions from processes that are gone or stand still. */
  void requireOwners() {
    for (int i = 0; i < owners.length; i++) {
      if (owners[i].isCrashed() || owners[i].isPaused()) {
        owners[i] = anyProcess();
      }
    }
  }

  List<SimulatedConsumer> owners() {
    return List.of(owners);
  }

  boolean isAssigned(int partition, SimulatedConsumer process) {
    return owners[partition] == process;
  }

  int committed(int partition) {
    return committed[partition];
  }

  void commit(int partition, int offset) {
    committed[partition] = Math.max(committed[partition], offset);
  }

  /** Checks an effect outside the database at the moment when it happens. */
  void applied(SimulatedConsumer process, Event event, long fence) {
    Claims claims = claims(process, event, fence);
    if (!claims.isNewest || redriven.contains(event.id())) {
      return; // It comes too late; its end will be refused.
    }
    assertThat(claims.isLive && claims.hasOther)
        .as("another process has a claim beside that of %s", event)
        .isFalse();
    assertThat(claims.lastSequence)
        .as("the last sequence that was finished before %s", event)
        .isLessThan(event.sequence());
    applied.remove(event.id()); // An attempt whose end is not recorded is repeated.
    applied.put(event.id(), event);
  }

  /** Applies an effect inside the database. */
  void applied(Event event, Connection connection) throws SQLException {
    String sql = "INSERT INTO effect (handler, event_id, aggregate, sequence) VALUES (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .text(name)
          .text(event.id())
          .text(event.aggregate().key())
          .number(event.sequence());
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  private void requireOrder(Collection<Event> effects) {
    Map<Aggregate, Long> last = new HashMap<>();
    for (Event event : effects) {
      Long before = last.put(event.aggregate(), event.sequence());
      assertThat(before == null || before < event.sequence())
          .as("%s applied %s after sequence %s", name, event, before)
          .isTrue();
    }
  }

  /** What the registry says about a claim and its aggregate at the moment of an effect. */
  private record Claims(boolean isNewest, boolean isLive, boolean hasOther, long lastSequence) {}

  private Claims claims(SimulatedConsumer process, Event event, long fence) {
    String sql =
        """
        SELECT coalesce(bool_or(is_own), false), coalesce(bool_or(is_own AND is_live), false),
          coalesce(bool_or(owner <> ? AND is_live), false),
          (SELECT last_sequence FROM sim.aggregate_version WHERE handler = ? AND aggregate = ?)
        FROM (
          SELECT owner, event_id = ? AND fence = ? AS is_own,
            lease_until > clock_timestamp() AS is_live
          FROM sim.processed_event
          WHERE aggregate = ? AND handler = ? AND state = 'processing' AND NOT redriven) claim
        """;
    String aggregate = event.aggregate().key();
    try (Connection connection = simulation.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .text(process.owner())
          .text(name)
          .text(aggregate)
          .text(event.id())
          .number(fence)
          .text(aggregate)
          .text(name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Claims(row.getBoolean(1), row.getBoolean(2), row.getBoolean(3), row.getLong(4));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  void failAtRandom(Event event) {
    if (simulation.fault(6) == 0) {
      failed.add(event.id());
      throw new IllegalStateException("the effect of " + event.id() + " failed");
    }
  }

  /** An operator redrives an event that was given up, and sends it again. */
  void redriveAny() {
    List<String> givenUp =
        new Sql(simulation.dataSource())
            .query(
                "SELECT event_id FROM sim.processed_event WHERE handler = '%s' AND died_at IS NOT NULL"
                    .formatted(name));
    if (!givenUp.isEmpty()) {
      String id = givenUp.get(random().nextInt(givenUp.size()));
      ProcessedEvents registry =
          ProcessedEvents.builder(simulation.dataSource()).schema("sim").build();
      assertThat(registry.redrive(name, id)).isTrue();
      redriven.add(id);
      simulation.broker().storeAgain(id);
    }
  }

  /** Remembers what the registry says about events, before it is purged or compared. */
  void rememberStates() {
    String columns = "event_id || ' ' || state || ' ' || coalesce(error, '')";
    for (String row : query(columns, "processed_event")) {
      String[] parts = row.split(" ", 3);
      String before = states.put(parts[0], parts[1]);
      assertThat("done".equals(before) && !"done".equals(parts[1]))
          .as("%s was done and is %s", parts[0], parts[1])
          .isFalse();
      errors.put(parts[0], parts[2]);
    }
  }

  /** Compares the registry, the effects and the offsets with a fold over the log. */
  void requireComplete(List<Event> log) {
    rememberStates();
    assertThat(states.keySet())
        .as("events that %s knows", name)
        .isEqualTo(log.stream().map(Event::id).collect(Collectors.toSet()));
    Map<Aggregate, Long> last = new HashMap<>();
    for (Event event : log) {
      String state = states.get(event.id());
      assertThat(state)
          .as("state of %s, error %s", event, errors.get(event.id()))
          .isIn(isGiveUpAllowed(event) ? List.of("done", givenUp()) : List.of("done"));
      assertThat(errors.get(event.id())).doesNotContain("handled first");
      assertThat(kind != Kind.EVERY || !"dead".equals(state) || deadLetters.contains(event.id()))
          .as("dead letter of %s", event)
          .isTrue();
      last.merge(event.aggregate(), event.sequence(), Math::max);
    }
    last.forEach(this::requireLastSequence);
    for (int i = 0; i < committed.length; i++) {
      assertThat(committed[i]).as("offset of %s", name).isEqualTo(simulation.broker().size(i));
    }
    if (isTransactional()) {
      requireEffects(log);
    } else {
      // An event that was given up may have taken effect before an earlier one was tried again.
      requireOrder(
          applied.values().stream().filter(it -> "done".equals(states.get(it.id()))).toList());
      assertThat(applied.keySet())
          .as("effects of %s", name)
          .containsAll(
              states.keySet().stream()
                  .filter(it -> "done".equals(states.get(it)) && !redriven.contains(it))
                  .toList());
    }
  }

  private void requireLastSequence(Aggregate aggregate, long sequence) {
    long actual =
        ProcessedEvents.builder(simulation.dataSource())
            .schema("sim")
            .build()
            .lastSequence(name, aggregate);
    assertThat(actual).as("last sequence of %s for %s", aggregate, name).isEqualTo(sequence);
  }

  /** Attempts also end by a lease that ends, which a crash or a pause causes. */
  private boolean isGiveUpAllowed(Event event) {
    return failed.contains(event.id()) || simulation.hasLostLeases();
  }

  private String givenUp() {
    return kind == Kind.EVERY ? "dead" : "skipped";
  }

  /** An effect in the database took place once if its event is done, and otherwise not at all. */
  private void requireEffects(List<Event> log) {
    List<String> effects =
        new Sql(simulation.dataSource())
            .query("SELECT event_id FROM effect WHERE handler = '" + name + "' ORDER BY place");
    assertThat(effects).as("effects of %s", name).doesNotHaveDuplicates();
    assertThat(new HashSet<>(effects))
        .isEqualTo(
            log.stream()
                .map(Event::id)
                .filter(it -> "done".equals(states.get(it)))
                .collect(Collectors.toSet()));
    Map<String, Event> byId = log.stream().collect(Collectors.toMap(Event::id, it -> it));
    requireOrder(effects.stream().filter(it -> !redriven.contains(it)).map(byId::get).toList());
  }

  private List<String> query(String columns, String table) {
    return new Sql(simulation.dataSource())
        .query(
            "SELECT %s FROM sim.%s WHERE handler = '%s' AND aggregate >= 'order/%s' AND aggregate < 'order/%s~'"
                .formatted(columns, table, name, simulation.history(), simulation.history()));
  }

  private Random random() {
    return simulation.random();
  }
}
