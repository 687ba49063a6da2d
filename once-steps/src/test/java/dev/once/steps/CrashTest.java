package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.spi.State;
import dev.once.testkit.Program;
import dev.once.testkit.Sql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real process is killed by SIGKILL at every point of a workflow; then the run is started again.
 */
class CrashTest {
  private static final PGSimpleDataSource DATABASE =
      EmbeddedPostgres.shared().newDatabase("steps-crash");

  private final Sql sql = new Sql(DATABASE);

  @BeforeEach
  void empty() {
    JdbcSchema.apply(DATABASE);
    sql.execute("CREATE TABLE IF NOT EXISTS effect (name text)");
    sql.execute("TRUNCATE effect, once_record");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reserve after claim",
        "reserve before commit",
        "reserve after commit",
        "charge after claim",
        "charge before effect",
        "charge after effect",
        "charge after completion",
        "notify after claim",
        "notify before effect",
        "notify after effect",
        "notify after completion"
      })
  void everyEffectHappensOnceAndTheResultIsEqual(String point) throws Exception {
    killAt(point);
    endLeases();

    String result = new CrashingWorkflow(DATABASE, at -> {}).run();
    String again = new CrashingWorkflow(DATABASE, at -> {}).run();

    assertThat(result).isEqualTo("notify 1").isEqualTo(again);
    assertThat(sql.query("SELECT name FROM effect")).containsExactly("reserve", "charge", "notify");
    assertThat(RunHistory.over(JdbcRecordStore.over(DATABASE)).steps(CrashingWorkflow.RUN))
        .hasSize(3)
        .allMatch(it -> it.state() == State.COMPLETED && !it.inputChanged());
  }

  /** Moves the times of all records back, so that no test waits for a lease. */
  private void endLeases() {
    sql.execute(
        """
        UPDATE once_record SET
          created_at = created_at - interval '1 min',
          lease_until = lease_until - interval '1 min',
          expires_at = expires_at - interval '1 min'
        """);
  }

  private static void killAt(String point) throws Exception {
    try (Program program = Program.start(CrashingWorkflow.class, DATABASE, point)) {
      program.awaitLine(point);
      program.kill();
    }
  }
}
