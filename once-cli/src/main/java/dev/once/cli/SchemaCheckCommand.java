package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once schema check}: compares the tables of a database with this release. */
@Command(name = "check")
final class SchemaCheckCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final SchemaOptions options = new SchemaOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  SchemaCheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws SQLException {
    boolean allFit = true;
    try (HikariDataSource pool = database.open(session, "the database", it -> {});
        Connection connection = pool.getConnection()) {
      SchemaVersions versions = new SchemaVersions(connection, SchemaOptions.ofEvents(session));
      for (SchemaModule module : options.modules()) {
        int found = versions.of(module);
        // Modules that an application does not use have no tables, unless they were named.
        boolean fits = found == module.version() || (found == 0 && !options.areNamed());
        allFit &= fits;
        print(module, found, fits);
      }
    }
    return allFit ? 0 : Cli.FAILED;
  }

  private void print(SchemaModule module, int found, boolean fits) {
    output.print(
        session,
        () ->
            "%s version=%d release=%d %s"
                .formatted(module.word(), found, module.version(), advice(module, found, fits)),
        () ->
            new JsonLine()
                .put("module", module.word())
                .put("version", found)
                .put("release", module.version())
                .put("ok", fits));
  }

  static String advice(SchemaModule module, int found, boolean fits) {
    if (fits) {
      return found == 0 ? "not there" : "ok";
    }
    return found > module.version()
        ? "newer than this release: upgrade this program"
        : "run ./once schema apply --modules " + module.word();
  }
}
