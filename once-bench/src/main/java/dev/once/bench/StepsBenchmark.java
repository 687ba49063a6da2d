package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Workflows of ten recorded steps, compared with DBOS Transact. */
final class StepsBenchmark {
  /** The number of steps of a workflow. */
  static final int STEPS = 10;

  /** The aim against contestants that record steps, too. */
  private static final double AIM = 2;

  private StepsBenchmark() {}

  /**
   * A way to run workflows and record each of their steps. Thread-safe.
   *
   * @param commits the number of commits, each flushed to the disk, that a workflow takes
   * @param run runs a new workflow, and throws if a step has another effect than it should
   * @param recorded counts the steps on record
   */
  record Contestant(String name, int commits, Session.Work run, Callable<Long> recorded) {}

  /** Two contestants that do the same work. */
  private record Pair(String work, Contestant once, Contestant other) {}

  static Report run(Session session) throws Exception {
    Table table =
        new Table(
                "Workflows of 10 steps",
                "each step | callers | contestant | commits per workflow | steps/s"
                    + " | workflow p50 ms | p99 ms | Once ÷ it | in rounds | aim | met")
            .charted("steps/s", "contestant", "each step", "callers");
    // DBOS has as many connections for its work as Once, and one that it reserves for LISTEN.
    try (BenchDatabase database = session.databaseOfOnce("steps");
        Once once = Once.over(JdbcRecordStore.over(database.pool()));
        BenchDatabase pool =
            new BenchDatabase(database.source(), session.settings().connections() + 1);
        Dbos dbos = Dbos.launch(pool)) {
      database.execute(
          "CREATE TABLE step_row (id bigserial PRIMARY KEY, workflow text, step int, owner text)");
      OnceSteps own = new OnceSteps(database, once);
      List<Pair> pairs =
          List.of(
              new Pair("returns a text", own.leased(), dbos.texts()),
              new Pair(
                  "writes a row, in one transaction with its result",
                  own.transactional(),
                  dbos.rows()));
      for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
        List<Series> all = new ArrayList<>();
        for (Pair pair : pairs) {
          all.add(series(session, pair.once, callers));
          all.add(series(session, pair.other, callers));
        }
        session.compare("steps", callers, all, database::settle);
        for (int i = 0; i < pairs.size(); i++) {
          Pair pair = pairs.get(i);
          Series base = all.get(2 * i);
          addRow(table, pair.work, callers, pair.once.commits, base, base);
          addRow(table, pair.work, callers, pair.other.commits, all.get(2 * i + 1), base);
        }
      }
    }
    return new Report(session.describe(), List.of(table));
  }

  private static Series series(Session session, Contestant contestant, int callers) {
    return session
        .series(contestant.name, callers, contestant.run)
        .counting(contestant.recorded, STEPS);
  }

  private static void addRow(
      Table table, String work, int callers, int commits, Series series, Series once) {
    table.row(
        work,
        callers,
        series.name(),
        commits,
        STEPS * series.callsPerSecond(),
        series.p50Millis(),
        series.p99Millis(),
        once.ratioTo(series),
        once.atLeast(AIM, "a step %s, callers: %d".formatted(work, callers), series));
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
