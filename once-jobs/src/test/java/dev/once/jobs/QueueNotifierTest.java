package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jdbc.internal.TransactionRunner;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class QueueNotifierTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("notifier");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Test
  void aNotificationIsForOtherProcesses() throws SQLException {
    try (QueueNotifier mine = notifier();
        QueueNotifier other = notifier();
        Connection connection = DATABASE.direct().getConnection()) {
      Sql.execute(connection, "LISTEN " + QueueNotifier.CHANNEL);
      mine.notifyQueue("mail");
      PGNotification[] received =
          connection.unwrap(PGConnection.class).getNotifications((int) PATIENCE.toMillis());

      assertThat(received).hasSize(1);
      assertThat(mine.received(received[0].getParameter())).isEmpty();
      assertThat(other.received(received[0].getParameter())).contains("mail");
    }
  }

  @Test
  void aNotificationWithoutASenderIsForAll() {
    try (QueueNotifier notifier = notifier()) {
      assertThat(notifier.received("mail")).contains("mail");
      assertThat(notifier.received(NotificationListener.ANY)).contains(NotificationListener.ANY);
    }
  }

  private static QueueNotifier notifier() {
    return new QueueNotifier(new TransactionRunner(DATABASE.dataSource()), true, JobListener.NONE);
  }
}
