package dev.once.effects;

import dev.once.events.EventDatabase;
import dev.once.events.ProcessedEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The registry of processed events on a real PostgreSQL, one for all tests of this JVM. */
final class TestRegistry {
  private static final EventDatabase DATABASE = new EventDatabase("effects");
  private static final Duration LEASE = Duration.ofSeconds(1);

  private volatile boolean severed;

  /** Returns the registry as another process has it. */
  ProcessedEvents events() {
    return ProcessedEvents.builder(severable()).lease(LEASE).heartbeat(LEASE.dividedBy(4)).build();
  }

  /** Ends the connections to the database, so that leases are not renewed. */
  void sever() {
    severed = true;
  }

  private DataSource severable() {
    return (DataSource)
        Proxy.newProxyInstance(
            TestRegistry.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (severed) {
                throw new SQLException("the connection is severed", "08006");
              }
              try {
                return method.invoke(DATABASE.dataSource(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
