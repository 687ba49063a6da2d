package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;

/** Workflows of recorded steps, compared with DBOS Transact: long, short, and resumed ones. */
final class StepsBenchmark {
  static final int STEPS = 10;

  /** Of a short workflow, whose start and end count for more. */
  private static final int FEW_STEPS = 3;

  /** The aims against contestants that record steps, too. */
  private static final double STEPS_AIM = 2;

  private static final double WORKFLOWS_AIM = 1.5;

  /**
   * A workflow.
   *
   * @param run runs a new one, with so many steps
   * @param recorded counts the recorded steps of all of them
   */
  record Workflow(Session.Action<Integer> run, Callable<Long> recorded) {}

  private StepsBenchmark() {}

  static Report run(Session session) throws Exception {
    SpeedTable steps = SpeedTable.of(session, "steps", "Workflows of 10 steps", "steps", STEPS);
    SpeedTable workflows =
        SpeedTable.of(
            session,
            "steps, start to end",
            "Workflows of 3 steps, from their start to their end",
            "workflows",
            1);
    // DBOS has as many connections for its work as Once, and one that it reserves for LISTEN.
    try (BenchDatabase database = session.databaseOfOnce("steps");
        Once once = Once.over(JdbcRecordStore.over(database.pool()));
        BenchDatabase pool =
            new BenchDatabase(database.source(), session.settings().connections() + 1)) {
      database.execute(
          "CREATE TABLE step_row (id bigserial PRIMARY KEY, workflow text, step int, owner text)");
      OnceSteps own = new OnceSteps(database, once);
      try (Dbos dbos = Dbos.launch(pool);
          OnceWorkflows durable = new OnceWorkflows(database)) {
        for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
          Contests ten = new Contests(session, database, callers, STEPS, STEPS_AIM);
          steps.compare(
              callers,
              database::settle,
              ten.texts(List.of(durable.leased(), own.leased(), dbos.texts())),
              ten.rows(List.of(durable.transactional(), own.transactional(), dbos.rows())));
          Contests few = new Contests(session, database, callers, FEW_STEPS, WORKFLOWS_AIM);
          workflows.compare(
              callers,
              database::settle,
              few.texts(List.of(durable.leased(), dbos.texts())),
              few.rows(List.of(durable.transactional(), dbos.rows())));
        }
      }
      Table resumed = ResumeBenchmark.run(session, database, pool);
      return new Report(session.describe(), List.of(steps.table(), workflows.table(), resumed));
    }
  }

  /** Contests of workflows with the same number of steps. */
  private record Contests(
      Session session, BenchDatabase database, int callers, int steps, double aim) {
    SpeedTable.Contest texts(List<Contestant<Workflow>> contestants) {
      return contest("each step returns a text", contestants);
    }

    SpeedTable.Contest rows(List<Contestant<Workflow>> contestants) {
      return contest("each step writes a row, in one transaction with its result", contestants);
    }

    private SpeedTable.Contest contest(String work, List<Contestant<Workflow>> contestants) {
      return new SpeedTable.Contest(work, aim, contestants.stream().map(this::series).toList());
    }

    private Series series(Contestant<Workflow> it) {
      return session
          .series(it, callers, database.clocks(), () -> it.work().run().perform(steps))
          .counting(it.work().recorded(), steps);
    }
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
