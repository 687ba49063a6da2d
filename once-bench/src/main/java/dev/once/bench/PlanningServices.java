package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.postgresql.ds.PGSimpleDataSource;

/** The planning service in every {@link Variant}, each with a JVM and a database of its own. */
final class PlanningServices implements Closeable {
  /** One to query the tables, and one to vacuum them. */
  private static final int OWN_CONNECTIONS = 2;

  private final Map<Variant, PlanningService> services = new EnumMap<>(Variant.class);
  private final Deque<Closeable> resources = new ArrayDeque<>();

  private PlanningServices() {}

  static PlanningServices start(EmbeddedPostgres server, Settings settings)
      throws IOException, InterruptedException {
    Path jar = PlanningJar.find(settings.service());
    PlanningServices all = new PlanningServices();
    try {
      all.startOn(server, jar, settings.connections());
      return all;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try (all) {
        throw e;
      }
    }
  }

  PlanningService get(Variant variant) {
    return Objects.requireNonNull(services.get(variant));
  }

  void settle() {
    services.values().forEach(PlanningService::settle);
  }

  void requireMissions() throws SQLException {
    for (PlanningService service : services.values()) {
      service.requireMissions();
    }
  }

  /** Starts all JVMs at the same time, and then waits for each. */
  private void startOn(EmbeddedPostgres server, Path jar, int connections)
      throws IOException, InterruptedException {
    Map<Variant, ServiceProcess> processes = new EnumMap<>(Variant.class);
    Map<Variant, BenchDatabase> databases = new EnumMap<>(Variant.class);
    for (Variant variant : Variant.values()) {
      PGSimpleDataSource database = server.newDatabase("http_" + variant.label());
      databases.put(variant, closing(new BenchDatabase(database, OWN_CONNECTIONS)));
      Map<String, String> environment =
          Map.of(
              "DATABASE_URL", server.url(Objects.requireNonNull(database.getDatabaseName())),
              "DATABASE_USER", server.user(),
              "DATABASE_PASSWORD", server.password());
      processes.put(
          variant, closing(ServiceProcess.start(jar, environment, variant.arguments(connections))));
    }
    for (Variant variant : Variant.values()) {
      ServiceProcess process = Objects.requireNonNull(processes.get(variant));
      BenchDatabase database = Objects.requireNonNull(databases.get(variant));
      services.put(variant, closing(PlanningService.open(process, database)));
    }
  }

  private <T extends Closeable> T closing(T resource) {
    resources.push(resource);
    return resource;
  }

  @Override
  public void close() throws IOException {
    Closeable last = resources.poll();
    if (last == null) {
      return;
    }
    try {
      last.close();
    } finally {
      close(); // The others, also after a failure.
    }
  }
}
