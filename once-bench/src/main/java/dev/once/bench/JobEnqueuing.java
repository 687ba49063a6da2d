package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Measures the cost of a job for the business transaction that enqueues it. */
final class JobEnqueuing {
  private static final double MAX_COST = 1.15;

  /** With more callers the wait for connections would dominate, not the jobs. */
  private static final int MAX_CALLERS = 16;

  /** Enough accounts that two callers rarely update the same one. */
  private static final int ACCOUNTS = 10_000;

  private final BenchDatabase database;
  private final AtomicLong nextBooking = new AtomicLong();

  private JobEnqueuing(BenchDatabase database) {
    this.database = database;
    database.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
    database.execute(
        "INSERT INTO account SELECT id, 0 FROM generate_series(0, %d) id".formatted(ACCOUNTS - 1));
    database.execute(
        "CREATE TABLE booking (id bigint PRIMARY KEY, account int NOT NULL, amount int NOT NULL)");
    database.execute("CREATE TABLE outbox (id bigint PRIMARY KEY, payload bytea NOT NULL)");
  }

  static Table run(Session session, BenchDatabase database) throws Exception {
    SpeedTable table =
        SpeedTable.of(
            session,
            "jobs, enqueuing",
            "A transaction of INSERT + UPDATE, and the same with a job in it");
    JobEnqueuing bookings = new JobEnqueuing(database);
    try (OnceJobQueue queue =
        new OnceJobQueue(
            database, session.settings().connections(), OnceJobQueue.Mode.TRANSACTIONAL)) {
      queue.clear();
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        bookings.compare(table, callers, queue);
      }
    }
    return table.table();
  }

  private void compare(SpeedTable table, int callers, OnceJobQueue queue) throws Exception {
    Session session = table.session();
    Series without =
        session.series("nothing more", callers, () -> book((connection, booking) -> {}));
    Series bare =
        session.series("a row in a bare table", callers, () -> book(JobEnqueuing::writeOutbox));
    Series with =
        session.series("a job", callers, () -> book(queue::enqueue)).counting(queue::unfinished, 1);
    table.compare(
        callers,
        database::settle,
        new SpeedTable.Contest("a booking with", SpeedTable.NO_AIM, without, bare, with));
    table.add(
        Finding.atMost(
            MAX_COST,
            "cost of a transaction with a job in it, callers: " + callers,
            "the same without",
            without.over(with)));
  }

  /** More work in the transaction of a booking. */
  @FunctionalInterface
  private interface More {
    void in(Connection connection, long booking) throws SQLException;
  }

  /** A small business transaction: inserts one row and updates another. */
  private void book(More more) throws SQLException {
    long id = nextBooking.getAndIncrement();
    int account = ThreadLocalRandom.current().nextInt(ACCOUNTS);
    database.inTransaction(
        connection -> {
          BenchDatabase.update(connection, "INSERT INTO booking VALUES (?, ?, 1)", id, account);
          BenchDatabase.update(
              connection, "UPDATE account SET balance = balance + 1 WHERE id = ?", account);
          more.in(connection, id);
        });
  }

  /** Inserts the least that an application with its own job table would write. */
  private static void writeOutbox(Connection connection, long booking) throws SQLException {
    BenchDatabase.update(connection, "INSERT INTO outbox VALUES (?, ?)", booking, new byte[0]);
  }
}
