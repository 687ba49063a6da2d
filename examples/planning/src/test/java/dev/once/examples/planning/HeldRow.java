package dev.once.examples.planning;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A row that a test keeps locked, to control the order of transactions. */
final class HeldRow implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final JdbcClient database;
  private final Connection connection;
  private final int holder;

  private HeldRow(JdbcClient database, Connection connection) throws SQLException {
    this.database = database;
    this.connection = connection;
    this.holder = connection.unwrap(PGConnection.class).getBackendPID();
  }

  /** Locks the row of the resource in {@code created}. */
  static HeldRow of(PlanningServer server, String table, Reply created) throws SQLException {
    Connection connection = server.bean(DataSource.class).getConnection();
    connection.setAutoCommit(false);
    HeldRow held = new HeldRow(server.database(), connection);
    held.execute("SELECT id FROM " + table + " WHERE id = '" + created.id() + "' FOR UPDATE");
    return held;
  }

  /** Runs a statement in the transaction that holds the row. */
  void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns when {@code count} other transactions wait for a row. */
  void awaitWaiting(int count) {
    Instant end = Instant.now().plus(PATIENCE);
    while (waiting() < count) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("after " + PATIENCE + " fewer than " + count + " wait");
      }
      Thread.onSpinWait();
    }
  }

  /** Releases the row. */
  @Override
  public void close() throws SQLException {
    connection.commit();
    connection.close();
  }

  /**
   * Counts the sessions that this transaction blocks, directly or indirectly; jobs may wait for
   * other locks meanwhile.
   */
  private int waiting() {
    return database
        .sql(
            """
            WITH RECURSIVE behind (pid) AS (
              SELECT :holder
              UNION
              SELECT a.pid FROM pg_stat_activity a JOIN behind b
                ON b.pid = ANY (pg_blocking_pids(a.pid))
              WHERE a.datname = current_database() AND a.wait_event_type = 'Lock')
            SELECT count(*) - 1 FROM behind
            """)
        .param("holder", holder)
        .query(Integer.class)
        .single();
  }
}
