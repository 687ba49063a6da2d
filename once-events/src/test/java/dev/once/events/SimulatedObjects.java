package dev.once.events;

import dev.once.events.internal.PostgresSequences;
import dev.once.events.internal.Reservation;
import dev.once.events.internal.ReserveResult;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Writers to a store of objects, which are in memory; their sequences are reserved in PostgreSQL. A
 * writer may pause between any two of its steps, for longer than its reservation lasts, or vanish.
 */
final class SimulatedObjects implements SimulatedWriters, EventLog {
  private static final Duration RESERVATION = Duration.ofSeconds(30);
  private static final int MAX_OPEN = 3;

  private final Random random;
  private final DataSource dataSource;
  private final PostgresSequences sequences;
  private final String history;
  private final int aggregates;
  private final List<Writer> open = new ArrayList<>();
  private int count;

  // The storage. An object never changes.
  private final NavigableMap<String, Reservation> index = new TreeMap<>();
  private final Map<String, Optional<Event>> objects = new HashMap<>();

  SimulatedObjects(Random random, DataSource dataSource, String history, int aggregates) {
    this.random = random;
    this.dataSource = dataSource;
    this.history = history;
    this.aggregates = aggregates;
    this.sequences = new PostgresSequences(dataSource, "sim", history, RESERVATION);
  }

  /** An append between two of its steps. */
  private static final class Writer {
    private final EventData event;
    private Optional<Connection> transaction = Optional.empty();
    private Optional<Reservation> place = Optional.empty();
    private boolean isIndexed;

    Writer(EventData event) {
      this.event = event;
    }
  }

  @Override
  public void step() {
    for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
      advanceAny();
    }
  }

  private void advanceAny() {
    int any = random.nextInt(6);
    if (open.isEmpty() || (any == 0 && open.size() < MAX_OPEN)) {
      EventData event = EventData.of(history + "e" + ++count, aggregate(), "order.changed", "{}");
      open.add(new Writer(event));
    }
    Writer writer = open.get(random.nextInt(open.size()));
    if (writer.transaction.isPresent()) { // Those that are open for long matter.
      writer = open.get(random.nextInt(open.size()));
    }
    if (any == 1 && writer.transaction.isEmpty() && random.nextBoolean()) {
      open.remove(writer); // It vanishes.
    } else {
      advance(writer);
    }
  }

  private void advance(Writer writer) {
    if (writer.place.isEmpty()) {
      reserve(writer);
    } else if (writer.transaction.isPresent()) {
      commit(writer, true);
    } else if (!writer.isIndexed) {
      index.put(name(writer.place.get()), writer.place.get());
      writer.isIndexed = true;
    } else {
      write(writer);
    }
  }

  private void reserve(Writer writer) {
    if (isLocked(writer.event.aggregate())) {
      return;
    }
    if (random.nextInt(3) == 0) {
      reserveInOpenTransaction(writer);
      return;
    }
    ReserveResult result =
        sequences.reserve(writer.event, writer.event.fingerprint(), AppendCondition.ANY);
    writer.place = Optional.of(((ReserveResult.Reserved) result).reservation());
  }

  private void reserveInOpenTransaction(Writer writer) {
    String sql = "SELECT * FROM sim.reserve_sequence(?, ?, ?, NULL, ?, ?, interval '30 s')";
    EventData event = writer.event;
    try {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      writer.transaction = Optional.of(connection);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        new Parameters(statement)
            .text(history)
            .text(history + ":order")
            .text(event.aggregate().key())
            .text(event.id())
            .text(event.fingerprint().toString());
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          Instant time = row.getTimestamp("event_time").toInstant();
          writer.place =
              Optional.of(
                  new Reservation(
                      event.id(), event.aggregate().key(), row.getLong("sequence"), time));
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void commit(Writer writer, boolean commits) {
    try (Connection connection = writer.transaction.orElseThrow()) {
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
        writer.place = Optional.empty();
      }
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    writer.transaction = Optional.empty();
  }

  private void write(Writer writer) {
    Reservation place = writer.place.orElseThrow();
    Event event = new Event(writer.event, place.sequence(), place.time());
    boolean isWritten = objects.putIfAbsent(object(place), Optional.of(event)) == null;
    if (isWritten || random.nextBoolean()) {
      open.remove(writer); // Otherwise a reader abandoned its place, and it tries again.
    }
    writer.place = Optional.empty();
    writer.isIndexed = false;
    if (random.nextInt(3) > 0) { // Otherwise it crashes before.
      sequences.release(place);
    }
  }

  @Override
  public void finish() {
    for (Writer writer : open) {
      if (writer.transaction.isPresent()) {
        commit(writer, random.nextBoolean());
      }
    }
    open.clear();
  }

  @Override
  public EventLog log() {
    return this;
  }

  @Override
  public Page read(String after, int limit) {
    sequences.expired(100).forEach(this::abandon);
    String end = time(sequences.settledBefore());
    List<Event> events = new ArrayList<>();
    String last = after;
    for (Map.Entry<String, Reservation> entry : index.subMap(after, false, end, false).entrySet()) {
      last = entry.getKey();
      Optional<Event> found = objects.getOrDefault(object(entry.getValue()), Optional.empty());
      found.filter(it -> it.id().equals(entry.getValue().eventId())).ifPresent(events::add);
      if (events.size() == limit) {
        return new Page(events, last, false);
      }
    }
    return new Page(events, last);
  }

  private void abandon(Reservation place) {
    objects.putIfAbsent(object(place), Optional.empty());
    sequences.release(place);
  }

  @Override
  public Optional<Instant> heldSince() {
    return Optional.empty();
  }

  @Override
  public List<Event> committed() {
    return objects.values().stream().flatMap(Optional::stream).toList();
  }

  private boolean isLocked(Aggregate aggregate) {
    return open.stream()
        .anyMatch(it -> it.transaction.isPresent() && it.event.aggregate().equals(aggregate));
  }

  private Aggregate aggregate() {
    return new Aggregate("order", history + random.nextInt(aggregates));
  }

  private static String name(Reservation place) {
    return time(place.time()) + " " + place.aggregate() + " " + place.sequence();
  }

  private static String time(Instant time) {
    return "%012d.%09d".formatted(time.getEpochSecond(), time.getNano());
  }

  private static String object(Reservation place) {
    return place.aggregate() + " " + place.sequence();
  }
}
