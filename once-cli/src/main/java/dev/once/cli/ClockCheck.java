package dev.once.cli;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Compares the clocks of this machine and of the database. */
final class ClockCheck {
  private static final String CHECK = "clock";
  private static final int TRIES = 5;
  private static final Duration NOTABLE = Duration.ofSeconds(1);
  private static final Duration TOO_MUCH = Duration.ofSeconds(30);

  private ClockCheck() {}

  static Finding of(Connection connection) throws SQLException {
    Duration shortest = Duration.ofDays(1);
    Duration difference = Duration.ZERO;
    for (int i = 0; i < TRIES; i++) {
      Instant before = Instant.now();
      Instant there = timeOf(connection);
      Duration took = Duration.between(before, Instant.now());
      // The answer that took the shortest time says the most.
      if (took.compareTo(shortest) < 0) {
        shortest = took;
        difference = Duration.between(before.plus(took.dividedBy(2)), there);
      }
    }
    return of(difference);
  }

  /**
   * @param difference how much later it is by the database's clock
   */
  static Finding of(Duration difference) {
    String what =
        "the database's clock is %d ms %s this machine's"
            .formatted(
                Math.abs(difference.toMillis()), difference.isNegative() ? "behind" : "ahead of");
    String advice =
        "synchronise both machines by NTP: Once uses the database's clock alone, but times in logs"
            + " and signed times of webhooks are this machine's";
    if (difference.abs().compareTo(TOO_MUCH) > 0) {
      return Finding.problem(CHECK, what, advice);
    }
    return difference.abs().compareTo(NOTABLE) > 0
        ? Finding.note(CHECK, what, advice)
        : Finding.ok(CHECK, what);
  }

  private static Instant timeOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }
}
