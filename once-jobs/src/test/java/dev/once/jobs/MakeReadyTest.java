package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maintenance takes several statements, and other transactions commit between them. */
class MakeReadyTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("tend");
  private static final long GATE = 42;

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aFinishedJobIsNotRunAgainIfItsDuplicateComesBetweenTwoLooks() throws Exception {
    stopBeforeDeletingEarly();
    jobs.enqueueAll(List.of(TestJobs.job("early"), TestJobs.job("late")));
    List<ClaimedJob> claimed = statements.claim(Queue.named("mail"), 2);
    try (Connection early = begin();
        Connection late = begin();
        Connection gate = begin()) {
      Sql.execute(gate, "SELECT pg_advisory_xact_lock(" + GATE + ")");
      statements.finishAll(claimed);
      jobs.enqueue(early, TestJobs.job("early"));
      jobs.enqueue(late, TestJobs.job("late"));
      early.commit();
      CompletableFuture<?> maintenance = CompletableFuture.supplyAsync(statements::makeReady);
      statements.awaitBlockedBackend();
      late.commit();
      gate.commit();
      maintenance.get(10, TimeUnit.SECONDS);
    }

    assertThat(statements.states()).containsExactly("welcome:late waiting");
    statements.makeReady();
    assertThat(statements.states()).isEmpty();
  }

  private static void stopBeforeDeletingEarly() {
    DATABASE.execute(
        """
        CREATE FUNCTION stop_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_advisory_xact_lock(%d);
          RETURN OLD;
        END $$;
        CREATE TRIGGER stop BEFORE DELETE ON once_job FOR EACH ROW
        WHEN (OLD.key = 'welcome:early' AND OLD.state = 'waiting') EXECUTE FUNCTION stop_at_gate()
        """
            .formatted(GATE));
  }

  /** Begins a transaction whose snapshot is taken now. */
  private static Connection begin() throws SQLException {
    Connection connection = DATABASE.begin(Connection.TRANSACTION_REPEATABLE_READ);
    Sql.execute(connection, "SELECT 1");
    return connection;
  }
}
