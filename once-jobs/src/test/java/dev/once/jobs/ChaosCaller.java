package dev.once.jobs;

import dev.once.StoreException;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller in a worker's own process, with the transactions of a framework: most of its jobs start
 * eagerly. Ends when the chaos does.
 */
@SuppressWarnings("try") // The connection is closed after each transaction.
final class ChaosCaller implements Runnable {
  private static final ChaosKind[] KINDS = {
    ChaosKind.PLAIN, ChaosKind.FLAKY, ChaosKind.SHARED, ChaosKind.CALL, ChaosKind.FLAKY_CALL
  };
  private static final int MAX_IN_TRANSACTION = 3;
  private static final int MAX_PAUSE_NANOS = 60_000_000;

  private final String name = UUID.randomUUID().toString();
  private final Jobs jobs;
  private final FrameworkTransactions transactions;
  private volatile boolean stopped;
  private int count;

  ChaosCaller(Jobs jobs, FrameworkTransactions transactions) {
    this.jobs = jobs;
    this.transactions = transactions;
  }

  @Override
  public void run() {
    while (!stopped) {
      try (FrameworkTransactions ended = transactions) {
        transact();
      } catch (SQLException | StoreException e) {
        // The server is gone: the row shows whether the transaction was committed.
        LockSupport.parkNanos(MAX_PAUSE_NANOS);
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(MAX_PAUSE_NANOS));
    }
  }

  void stop() {
    stopped = true;
  }

  private void transact() throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Connection connection = transactions.begin();
    if (ChaosProducer.hasPlenty(connection)) {
      return;
    }
    // The chaos does not end before this transaction.
    if (Sql.query(connection, "SELECT is_over FROM chaos_end FOR SHARE").contains("t")) {
      stopped = true;
      return;
    }
    if (random.nextInt(4) == 0) {
      Savepoint savepoint = connection.setSavepoint();
      jobs.enqueue(next("gone-"));
      connection.rollback(savepoint);
    }
    for (int i = random.nextInt(MAX_IN_TRANSACTION); i >= 0; i--) {
      Job job = next("");
      ChaosProducer.keep(connection, job, jobs.enqueue(job));
    }
    if (random.nextInt(8) == 0) {
      transactions.rollback();
    } else {
      transactions.commit();
    }
  }

  private Job next(String prefix) {
    ChaosKind kind = KINDS[ThreadLocalRandom.current().nextInt(KINDS.length)];
    return kind.job("tenant-0", prefix + name + "-" + ++count);
  }
}
