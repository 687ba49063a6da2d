package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A small business transaction: inserts one row, updates another, and may do additional work. */
final class Booking {
  /** Enough accounts that two callers rarely update the same one. */
  private static final int ACCOUNTS = 10_000;

  private final BenchDatabase database;
  private final AtomicLong next = new AtomicLong();

  Booking(BenchDatabase database) {
    this.database = database;
  }

  void createTables() {
    database.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
    database.execute(
        "INSERT INTO account SELECT id, 0 FROM generate_series(0, %d) id".formatted(ACCOUNTS - 1));
    database.execute(
        "CREATE TABLE booking (id bigint PRIMARY KEY, account int NOT NULL, amount int NOT NULL)");
    database.execute("CREATE TABLE outbox (id bigint PRIMARY KEY, payload bytea NOT NULL)");
  }

  /** Inserts the least that an application with its own job table would write. */
  static void writeOutbox(Connection connection, long id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO outbox (id, payload) VALUES (?, ?)")) {
      statement.setLong(1, id);
      statement.setBytes(2, new byte[0]);
      statement.executeUpdate();
    }
  }

  /** Additional work in the transaction of the booking {@code id}. */
  @FunctionalInterface
  interface More {
    void in(Connection connection, long id) throws SQLException;
  }

  void book(More more) throws SQLException {
    long id = next.getAndIncrement();
    int account = ThreadLocalRandom.current().nextInt(ACCOUNTS);
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false);
      update(connection, "INSERT INTO booking (id, account, amount) VALUES (?, ?, 1)", id, account);
      update(connection, "UPDATE account SET balance = balance + ? WHERE id = ?", 1, account);
      more.in(connection, id);
      connection.commit();
    }
  }

  private static void update(Connection connection, String sql, long first, int second)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, first);
      statement.setInt(2, second);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("one row must change: " + sql);
      }
    }
  }
}
