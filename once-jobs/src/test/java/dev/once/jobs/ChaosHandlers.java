package dev.once.jobs;

import dev.once.Once;
import dev.once.Terms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * The handlers of the chaos test. Effects are rows without any constraint, so that a repeated
 * effect shows. The world outside the database is another database, reached without a relay.
 */
record ChaosHandlers(Jobs jobs, Once once, DataSource world) {
  static final Duration LEASE = Duration.ofMillis(1500);

  private static final int BATCH_SIZE = 20;
  private static final int SURE_FROM_ATTEMPT = 6;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** The chaos fails attempts that have nothing to do with the job. */
  private static final RetryPolicy RETRIES =
      RetryPolicy.DEFAULT
          .withAttempts(RetryPolicy.MAX_ATTEMPTS)
          .withDelays(PAUSE, PAUSE.multipliedBy(16));

  private static final Terms TERMS =
      Terms.DEFAULT.withLease(LEASE).withMaxAttempts(Terms.MAX_ATTEMPTS);

  Handler of(ChaosKind kind) {
    if (kind.isExternal()) {
      return Handler.leased(once, run -> call(kind, run)).withTerms(TERMS).withRetries(RETRIES);
    }
    return Handler.transactional((run, connection) -> write(kind, run, connection))
        .withRetries(RETRIES)
        .withBatchSize(kind.isShared() ? BATCH_SIZE : 1);
  }

  private void write(ChaosKind kind, JobRun run, Connection connection) throws Exception {
    stumble(kind, run);
    insert(connection, "INSERT INTO effect (key, job, fence) VALUES (?, ?, ?)", run, run.id());
    if (kind == ChaosKind.PARENT) {
      jobs.enqueue(connection, ChaosKind.CHILD.job(run.key().tenant(), run.key().resource()));
    }
    takeTime(kind);
    stumble(kind, run);
    if (kind.isDoomed()) {
      throw new JobException.GiveUp("doomed");
    }
  }

  /**
   * Records what it does. A run that records, after its start, that it still holds its lease proves
   * that no run with a higher fence can have started before.
   */
  private void call(ChaosKind kind, JobRun run) throws Exception {
    note(run, "begun");
    if (run.leaseLost()) {
      throw new IllegalStateException("too late");
    }
    note(run, "held");
    takeTime(kind);
    stumble(kind, run);
    note(run, "done");
    stumble(kind, run);
  }

  private void note(JobRun run, String what) throws SQLException {
    try (Connection connection = world.getConnection()) {
      insert(connection, "INSERT INTO call (key, what, fence) VALUES (?, ?, ?)", run, what);
    }
  }

  private static void insert(Connection connection, String sql, JobRun run, Object second)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, run.key().text());
      statement.setObject(2, second);
      statement.setLong(3, run.fence());
      statement.executeUpdate();
    }
  }

  private static void takeTime(ChaosKind kind) throws InterruptedException {
    if (kind.isSlow()) {
      Thread.sleep(ThreadLocalRandom.current().nextLong(LEASE.toMillis() * 2));
    }
  }

  private static void stumble(ChaosKind kind, JobRun run) {
    if (!kind.isFlaky() || run.attempt() >= SURE_FROM_ATTEMPT) {
      return;
    }
    int chance = ThreadLocalRandom.current().nextInt(20);
    if (chance < 2) {
      throw new IllegalStateException("stumbled");
    } else if (chance == 2) {
      throw new JobException.Retry("once more", PAUSE);
    } else if (chance == 3) {
      throw new JobException.Snooze("too early", PAUSE);
    } else if (chance == 4) {
      throw new AssertionError("stumbled badly");
    }
  }
}
