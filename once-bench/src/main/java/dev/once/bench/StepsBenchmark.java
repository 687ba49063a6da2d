package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;

/** Workflows of ten recorded steps, compared with DBOS Transact. */
final class StepsBenchmark {
  /** The number of steps of a workflow. */
  static final int STEPS = 10;

  /** The aim against contestants that record steps, too. */
  private static final double AIM = 2;

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
            new SpeedTable.Contest(
                "each step returns a text",
                AIM,
                own.leased(session, callers),
                dbos.texts(session, callers)),
            new SpeedTable.Contest(
                "each step writes a row, in one transaction with its result",
                AIM,
                own.transactional(session, callers),
                dbos.rows(session, callers)));
      }
    }
    return table.report();
  }

  /** Inserts the row of a step, in the transaction of {@code connection}. */
  static void insertRow(Connection connection, String owner, String workflow, int step)
      throws SQLException {
    String sql = "INSERT INTO step_row (workflow, step, owner) VALUES (?, ?, ?)";
    BenchDatabase.update(connection, sql, workflow, step, owner);
  }

  /** Checks that rows and records agree: one without the other would break a promise. */
  static long requireRows(BenchDatabase database, String owner, long records) throws SQLException {
    long rows = database.number("SELECT count(*) FROM step_row WHERE owner = '" + owner + "'");
    if (rows != records) {
      throw new IllegalStateException("%d rows for %d steps".formatted(rows, records));
    }
    return records;
  }

  static String textOf(int step) {
    return "text " + step;
  }
}
