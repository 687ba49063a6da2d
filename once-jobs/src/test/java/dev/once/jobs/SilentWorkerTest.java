package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker stops responding at the worst moment: when only the commit is missing. */
class SilentWorkerTest {
  private static final JobDatabase DATABASE = new JobDatabase("silent");
  private static final Queue MAIL = Queue.named("mail").withLease(Queue.MIN_LEASE);

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void oneJob() {
    desk.empty();
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "welcome", "user-42")));
  }

  @Test
  void itsJobIsRunByAnother() throws SQLException {
    List<Long> fences = new CopyOnWriteArrayList<>();
    long first;
    try (Connection silent = DATABASE.direct().getConnection()) {
      finishWithoutCommit(silent);
      first = desk.fence();

      try (Workers workers =
          Workers.over(jobs)
              .queue(MAIL)
              .handle(
                  "mail", "welcome", Handler.transactional((run, it) -> fences.add(run.fence())))
              .start()) {
        assertThat(workers).isNotNull();
        Polling.until(desk::states, List::isEmpty);
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
    CompleteStatement.execute(connection, desk.claim(MAIL, 1), JobStatements.RETENTION);
  }

  private static String maxSilence(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
      row.next();
      return row.getString(1);
    }
  }
}
