package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.RecordCensus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once doctor}: checks what Once needs, and says what to do. */
@Command(name = "doctor")
final class DoctorCommand implements Callable<Integer> {
  /** The first Java with virtual threads. */
  private static final int VIRTUAL_THREADS = 21;

  /** From so many on, the purge does not keep up. */
  private static final int MANY_STALE = 1000;

  private final Session session;
  private boolean hasProblems;

  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--role")
  private @Nullable String role;

  DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws SQLException {
    java(Runtime.version().feature());
    try (HikariDataSource pool = database.open(session, "the database", it -> {})) {
      check(pool);
    } catch (CommandException e) {
      tell(
          Finding.problem(
              "database",
              CommandException.reason(e),
              "start it, and check that it accepts connections from this machine"));
    }
    return hasProblems ? Cli.FAILED : 0;
  }

  private void java(int feature) {
    String what = "JDK " + Runtime.version() + " in " + System.getProperty("java.home");
    tell(
        feature < VIRTUAL_THREADS
            ? Finding.note("java", what, "JDK 21 and newer run effects on virtual threads")
            : Finding.ok("java", what));
  }

  private void check(HikariDataSource pool) throws SQLException {
    String eventsSchema = SchemaOptions.ofEvents(session);
    List<SchemaModule> there;
    try (Connection connection = pool.getConnection()) {
      tell(ServerChecks.of(connection));
      tell(ClockCheck.of(connection));
      there = schema(new SchemaVersions(connection, eventsSchema));
      String user = connection.getMetaData().getUserName();
      tell(new RightsCheck(connection, eventsSchema, role == null ? user : role).of(there));
    }
    if (there.contains(SchemaModule.RECORDS) && !hasProblems) {
      stale(JdbcRecordStore.over(pool).census());
    }
  }

  /** Returns the modules whose tables are there. */
  private List<SchemaModule> schema(SchemaVersions versions) throws SQLException {
    List<SchemaModule> there = new ArrayList<>();
    for (SchemaModule module : SchemaModule.values()) {
      int found = versions.of(module);
      if (found == 0) {
        continue; // An application does not use every module.
      }
      there.add(module);
      boolean fits = found == module.version();
      String what = "%s has version %d".formatted(module.word(), found);
      tell(
          fits
              ? Finding.ok("schema", what)
              : Finding.problem(
                  "schema",
                  what + ", this release needs " + module.version(),
                  SchemaCheckCommand.advice(module, found, false)));
    }
    if (there.isEmpty()) {
      tell(
          Finding.problem(
              "schema",
              "the database has no table of Once",
              "run ./once schema apply --modules records, or check the database in --database-url"
                  + " and the search_path of the role"));
    }
    return there;
  }

  private void stale(RecordCensus census) {
    String what = "%d records, %d expired".formatted(census.entries(), census.stale());
    tell(
        census.stale() > MANY_STALE
            ? Finding.problem(
                "purge",
                what,
                "run ./once purge, and find out why applications do not (once.purge.enabled)")
            : Finding.ok("purge", what));
  }

  private void tell(List<Finding> findings) {
    findings.forEach(this::tell);
  }

  private void tell(Finding it) {
    hasProblems |= it.isProblem();
    output.print(session, it::text, it::json);
  }
}
