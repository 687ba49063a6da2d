package dev.once.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives notifications of new jobs from other processes, on a connection of its own. Polling does
 * not depend on it: jobs whose notification is missed, or never arrives behind a pooler that
 * reassigns connections between transactions, are found by the next poll.
 */
final class NotificationListener {
  /** An empty name means that any queue may have new jobs. */
  static final String ANY = "";

  /** The length of one read, which a close has to wait for. */
  private static final Duration WAIT = Duration.ofMillis(100);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final DataSource dataSource;
  private final Consumer<String> onNotification;
  private final JobListener listener;
  private final SupervisedThread thread;
  private volatile boolean closed;

  NotificationListener(
      DataSource dataSource, Consumer<String> onNotification, JobListener listener) {
    this.dataSource = dataSource;
    this.onNotification = onNotification;
    this.listener = listener;
    this.thread =
        new SupervisedThread(
            "once-jobs-listen",
            "listening for new jobs",
            this::listenUntilClosed,
            () -> closed,
            listener);
  }

  void start() {
    thread.start();
  }

  void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join(CLOSE_TIMEOUT); // A broken network may take longer.
  }

  private void listenUntilClosed() throws InterruptedException {
    while (!closed) {
      try (Connection connection = dataSource.getConnection()) {
        if (!connection.isWrapperFor(PGConnection.class)) {
          return;
        }
        listen(connection);
      } catch (SQLException | RuntimeException e) {
        SupervisedThread.report(listener, "listening for new jobs", e);
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + QueueNotifier.CHANNEL);
      onNotification.accept(ANY); // Jobs may have been added before LISTEN.
      PGConnection driver = connection.unwrap(PGConnection.class);
      while (!closed) {
        for (PGNotification it : driver.getNotifications((int) WAIT.toMillis())) {
          onNotification.accept(it.getParameter());
        }
      }
      statement.execute("UNLISTEN " + QueueNotifier.CHANNEL);
    }
  }
}
