package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once schema apply}: creates or upgrades the tables of modules. */
@Command(name = "apply")
final class SchemaApplyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final SchemaOptions options = new SchemaOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  SchemaApplyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws SQLException {
    String eventsSchema = SchemaOptions.ofEvents(session);
    try (HikariDataSource pool = database.open(session, "the database", it -> {})) {
      for (SchemaModule module : options.modulesAndNeeds()) {
        int before = versionOf(pool, module, eventsSchema);
        module.apply(pool, eventsSchema);
        print(module, before);
      }
      return 0;
    }
  }

  private static int versionOf(HikariDataSource pool, SchemaModule module, String eventsSchema)
      throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return new SchemaVersions(connection, eventsSchema).of(module);
    }
  }

  private void print(SchemaModule module, int before) {
    output.print(
        session,
        () -> "%s version=%d before=%d".formatted(module.word(), module.version(), before),
        () ->
            new JsonLine()
                .put("module", module.word())
                .put("version", module.version())
                .put("before", before));
  }
}
