package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maintenance takes several statements, and other transactions commit between them. */
class MakeReadyTest {
  private static final JobDatabase DATABASE = new JobDatabase("tend");
  private static final long GATE = 42;

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    desk.empty();
  }

  @Test
  void aFinishedJobIsNotRunAgainIfItsDuplicateComesBetweenTwoLooks() throws Exception {
    stopBeforeDeletingEarly();
    jobs.enqueueAll(List.of(jobOf("early"), jobOf("late")));
    List<ClaimedJob> claimed = desk.claim(Queue.named("mail"), 2);
    try (Connection early = begin();
        Connection late = begin();
        Connection gate = begin()) {
      Sql.execute(gate, "SELECT pg_advisory_xact_lock(" + GATE + ")");
      desk.finishAll(claimed);
      jobs.enqueue(early, jobOf("early"));
      jobs.enqueue(late, jobOf("late"));
      early.commit();
      CompletableFuture<?> maintenance = CompletableFuture.supplyAsync(desk::makeReady);
      desk.awaitBlockedBackend();
      late.commit();
      gate.commit();
      maintenance.get(10, TimeUnit.SECONDS);
    }

    assertThat(desk.states()).containsExactly("welcome:late waiting");
    desk.makeReady();
    assertThat(desk.states()).isEmpty();
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

  private static Job jobOf(String resource) {
    return Job.of(new JobKey("acme", "mail", "welcome", resource));
  }

  /** Begins a transaction whose snapshot is taken now. */
  private static Connection begin() throws SQLException {
    Connection connection = DATABASE.dataSource().getConnection();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    Sql.execute(connection, "SELECT 1");
    return connection;
  }
}
