package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Workflows of ten recorded steps, compared with DBOS Transact. */
final class StepsBenchmark {
  static final int STEPS = 10;

  /** The aim against contestants that record steps, too. */
  private static final double AIM = 2;

  /**
   * A workflow of {@link #STEPS} steps.
   *
   * @param run runs a new one
   * @param recorded counts the recorded steps of all of them
   */
  record Workflow(Session.Call run, Callable<Long> recorded) {}

  private StepsBenchmark() {}

  static Report run(Session session) throws Exception {
    SpeedTable table = SpeedTable.of(session, "steps", "Workflows of 10 steps", "steps", STEPS);
    // DBOS has as many connections for its work as Once, and one that it reserves for LISTEN.
    try (BenchDatabase database = session.databaseOfOnce("steps");
        Once once = Once.over(JdbcRecordStore.over(database.pool()));
        BenchDatabase pool =
            new BenchDatabase(database.source(), session.settings().connections() + 1);
        Dbos dbos = Dbos.launch(pool)) {
      database.execute(
          "CREATE TABLE step_row (id bigserial PRIMARY KEY, workflow text, step int, owner text)");
      OnceSteps own = new OnceSteps(database, once);
      for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
        table.compare(
            callers,
            database::settle,
            contest(session, callers, "returns a text", own.leased(), dbos.texts()),
            contest(
                session,
                callers,
                "writes a row, in one transaction with its result",
                own.transactional(),
                dbos.rows()));
      }
    }
    return table.report();
  }

  private static SpeedTable.Contest contest(
      Session session,
      int callers,
      String step,
      Contestant<Workflow> once,
      Contestant<Workflow> dbos) {
    List<Series> all =
        Stream.of(once, dbos)
            .map(
                it ->
                    session
                        .series(it, callers, List.of(), it.work().run())
                        .counting(it.work().recorded(), STEPS))
            .toList();
    return new SpeedTable.Contest("each step " + step, AIM, all);
  }

  /** Inserts the row of a step, in the transaction of {@code connection}. */
  static void insertRow(Connection connection, String owner, String workflow, int step)
      throws SQLException {
    String sql = "INSERT INTO step_row (workflow, step, owner) VALUES (?, ?, ?)";
    BenchDatabase.update(connection, sql, workflow, step, owner);
  }

  /** Checks that rows and records agree: one without the other would break a promise. */
  static long requireRows(BenchDatabase database, String owner, long records) {
    long rows = database.number("SELECT count(*) FROM step_row WHERE owner = ?", owner);
    if (rows != records) {
      throw new IllegalStateException("%d rows for %d steps".formatted(rows, records));
    }
    return records;
  }

  static String textOf(int step) {
    return "text " + step;
  }
}
