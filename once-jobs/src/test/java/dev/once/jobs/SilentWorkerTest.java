package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A worker stops responding at the worst moment: when only the commit is missing. */
@SuppressWarnings("try") // Workers work until they are closed.
@Execution(ExecutionMode.CONCURRENT) // It waits for a timeout.
@ResourceLock("SilentWorkerTest")
class SilentWorkerTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("silent");
  private static final Queue MAIL = Queue.named("mail").withLease(Queue.MIN_LEASE);

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @BeforeEach
  void oneJob() {
    jobs.enqueue(TestJobs.job("user-42"));
  }

  @Test
  void itsJobIsRunByAnother() throws SQLException {
    List<Long> fences = new CopyOnWriteArrayList<>();
    long first;
    try (Connection silent = DATABASE.direct().getConnection()) {
      finishWithoutCommit(silent);
      first = statements.fence();

      try (Workers workers =
          Workers.over(jobs)
              .queue(MAIL)
              .handle(
                  "mail", "welcome", Handler.transactional((run, it) -> fences.add(run.fence())))
              .start()) {
        statements.awaitAllDone();
      }
    }

    assertThat(fences).containsExactly(first + 1);
  }

  @Test
  void theConnectionIsAsItWasAfterTheCommit() throws SQLException {
    try (Connection connection = DATABASE.direct().getConnection()) {
      String before = maxSilence(connection);

      finishWithoutCommit(connection);
      assertThat(maxSilence(connection)).isEqualTo("10s");
      connection.commit();

      assertThat(maxSilence(connection)).isEqualTo(before);
    }
  }

  private void finishWithoutCommit(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    CompleteStatement.execute(connection, statements.claim(MAIL, 1), JobStatements.RETENTION);
  }

  private static String maxSilence(Connection connection) throws SQLException {
    return Sql.query(connection, "SHOW idle_in_transaction_session_timeout").get(0);
  }
}
