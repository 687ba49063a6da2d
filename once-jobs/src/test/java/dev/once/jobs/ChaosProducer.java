package dev.once.jobs;

import dev.once.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Enqueues jobs in business transactions, each with a row that names the job: a committed
 * transaction has both, a rolled-back one neither.
 */
final class ChaosProducer implements Runnable {
  private static final int MAX_IN_TRANSACTION = 6;
  private static final int TENANTS = 3;
  private static final int AGGREGATES = 8;
  private static final int PLENTY = 600;
  private static final int MAX_DELAY_MILLIS = 3000;
  private static final int MAX_PAUSE_NANOS = 40_000_000;

  private final String name;
  private final Random random;
  private final Jobs jobs;
  private final DataSource database;
  private final AtomicInteger rolledBack;
  private final List<Job> committed = new ArrayList<>();
  private volatile boolean stopped;
  private int count;

  ChaosProducer(
      String name, Random random, Jobs jobs, DataSource database, AtomicInteger rolledBack) {
    this.name = name;
    this.random = random;
    this.jobs = jobs;
    this.database = database;
    this.rolledBack = rolledBack;
  }

  @Override
  public void run() {
    while (!stopped) {
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        if (!hasPlenty(connection)) {
          transact(connection);
        }
      } catch (SQLException | StoreException e) {
        // The server is gone: the row shows whether the transaction was committed.
        LockSupport.parkNanos(MAX_PAUSE_NANOS);
      }
      LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
    }
  }

  /**
   * Limits the backlog, so that it can be processed quickly at the end, however long the test ran.
   */
  static boolean hasPlenty(Connection connection) throws SQLException {
    String sql =
        """
        SELECT count(*) FROM once_job
        WHERE state <> 'dead' AND coalesce(aggregate, '') NOT LIKE 'parked-%'
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      boolean hasPlenty = row.getLong(1) > PLENTY;
      connection.rollback();
      return hasPlenty;
    }
  }

  void stop() {
    stopped = true;
  }

  private void transact(Connection connection) throws SQLException {
    if (random.nextInt(5) == 0) {
      // Enqueueing cannot check here whether a key was used before.
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    }
    if (!committed.isEmpty() && random.nextInt(5) == 0) {
      Job before = committed.get(random.nextInt(committed.size()));
      jobs.enqueue(connection, before);
      connection.commit();
      return;
    }
    List<Job> added = new ArrayList<>();
    for (int i = random.nextInt(MAX_IN_TRANSACTION); i >= 0; i--) {
      for (Job job : next()) {
        keep(connection, job, jobs.enqueue(connection, job));
        added.add(job);
      }
    }
    if (random.nextInt(8) == 0) {
      connection.rollback();
      rolledBack.addAndGet(added.size());
    } else {
      connection.commit();
      committed.addAll(added);
      added.forEach(job -> jobs.wake(job.key().queue()));
    }
  }

  private List<Job> next() {
    String resource = name + "-" + ++count;
    String tenant = "tenant-" + random.nextInt(TENANTS);
    ChaosKind kind = kind();
    Job job = kind.job(tenant, resource);
    if (kind == ChaosKind.DOOMED_STEP) {
      String parked = ChaosHistory.PARKED + resource;
      Job behind = ChaosKind.STEP.job(tenant, resource);
      return List.of(job.withAggregate(parked), behind.withAggregate(parked));
    }
    if (kind == ChaosKind.STEP) {
      return List.of(job.withAggregate("row-" + random.nextInt(AGGREGATES)));
    }
    boolean isLater = random.nextInt(10) == 0;
    return List.of(
        isLater ? job.withDelay(Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS))) : job);
  }

  private ChaosKind kind() {
    int chance = random.nextInt(100);
    if (chance < 2) {
      return random.nextBoolean() ? ChaosKind.DOOMED : ChaosKind.DOOMED_STEP;
    }
    if (chance < 5) {
      return random.nextBoolean() ? ChaosKind.SLOW : ChaosKind.SLOW_CALL;
    }
    ChaosKind[] others = {
      ChaosKind.PLAIN, ChaosKind.FLAKY, ChaosKind.PARENT, ChaosKind.SHARED, ChaosKind.SHARED,
      ChaosKind.SHARED_FLAKY, ChaosKind.STEP, ChaosKind.STEP, ChaosKind.CALL, ChaosKind.FLAKY_CALL
    };
    return others[random.nextInt(others.length)];
  }

  static void keep(Connection connection, Job job, EnqueueResult result) throws SQLException {
    // The start of the transaction is before the job was enqueued.
    String sql =
        """
        INSERT INTO business (key, type, aggregate, job, not_before)
        VALUES (?, ?, ?, ?, now() + ? * interval '1 millisecond')
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, job.key().text());
      statement.setString(2, job.key().type());
      statement.setString(3, job.aggregate().orElse(null));
      statement.setLong(4, result.id());
      statement.setLong(5, job.delay().toMillis());
      statement.executeUpdate();
    }
  }
}
