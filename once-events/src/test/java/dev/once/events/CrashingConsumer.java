package dev.once.events;

import dev.once.testkit.Program;
import dev.once.testkit.Sql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A consumer that reports every point that it reaches. As a program it stops at one of them until
 * it is killed.
 */
final class CrashingConsumer {
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final DataSource database;
  private final Consumer<String> reached;

  CrashingConsumer(DataSource database, Consumer<String> reached) {
    this.database = database;
    this.reached = reached;
  }

  public static void main(String[] args) throws Exception {
    String kind = Program.rest(args).get(0);
    String end = Program.rest(args).get(1);
    CrashingConsumer program =
        new CrashingConsumer(Program.database(args), point -> stopAt(point, end));
    try (EventConsumer consumer = program.start(kind)) {
      Settlements.await(consumer.submit(TestEvents.events("a", 2)));
    }
  }

  private static synchronized void stopAt(String point, String end) {
    if (point.equals(end)) {
      System.out.println(point);
      while (true) {
        LockSupport.park();
      }
    }
  }

  EventConsumer start(String kind) {
    TestSource source = this::connect;
    ProcessedEvents registry =
        ProcessedEvents.builder(source.toDataSource())
            .schema(RegistryDatabase.SCHEMA)
            .lease(LEASE)
            .heartbeat(LEASE.dividedBy(4))
            .build();
    EventConsumer.Builder builder =
        EventConsumer.named(RegistryDatabase.HANDLER).registry(registry);
    return kind.equals("transactional")
        ? builder.startTransactional(this::write)
        : builder.start(this::write);
  }

  /** An effect outside the registry's transaction, idempotent by the event's id. */
  private void write(Event event, EventExecution execution) {
    reached.accept("before effect");
    new Sql(database)
        .execute(
            "INSERT INTO effect (event_id) SELECT '%1$s' WHERE NOT EXISTS (SELECT 1 FROM effect WHERE event_id = '%1$s')"
                .formatted(event.id()));
    reached.accept("after effect");
  }

  private void write(Event event, Connection connection) throws SQLException {
    reached.accept("before effect");
    Sql.execute(connection, "INSERT INTO effect (event_id) VALUES ('" + event.id() + "')");
    reached.accept("after effect");
  }

  private Connection connect() throws SQLException {
    Connection connection = database.getConnection();
    AtomicBoolean isClaim = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            CrashingConsumer.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              String call = method.getName();
              if (call.equals("prepareStatement")) {
                String sql = String.valueOf(arguments[0]);
                isClaim.set(sql.contains("claim_events"));
                if (sql.contains("settle_events")) {
                  reached.accept("before completion");
                }
              }
              if (call.equals("close") && isClaim.get()) {
                reached.accept("after claim"); // It is committed, and its answer was read.
              }
              if (call.equals("commit")) {
                reached.accept("before commit");
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (call.equals("commit")) {
                  reached.accept("after commit");
                }
              }
            });
  }
}
