package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

/** Decides in PostgreSQL which of several processes runs a relay. */
final class RelayLease {
  private final TransactionRunner transactions;
  private final String relay;
  private final String owner;
  private final Duration lease;
  private final String acquire;
  private final String renew;
  private final String end;

  RelayLease(
      TransactionRunner transactions, String schema, String relay, String owner, Duration lease) {
    this.transactions = transactions;
    this.relay = relay;
    this.owner = owner;
    this.lease = lease;
    this.acquire =
        """
        INSERT INTO %s.relay AS r (name, owner, fence, lease_until)
        VALUES (?, ?, 1, clock_timestamp() + ? * interval '1 microsecond')
        ON CONFLICT (name) DO UPDATE
        SET owner = excluded.owner, fence = r.fence + 1, lease_until = excluded.lease_until
        WHERE r.lease_until < clock_timestamp()
        RETURNING fence
        """
            .formatted(schema);
    this.renew =
        """
        UPDATE %s.relay SET lease_until = clock_timestamp() + ? * interval '1 microsecond'
        WHERE name = ? AND fence = ?
        """
            .formatted(schema);
    this.end =
        "UPDATE %s.relay SET lease_until = clock_timestamp() WHERE name = ? AND fence = ?"
            .formatted(schema);
  }

  /** Returns the fence of a new lease, or empty while another process has one. */
  OptionalLong acquire() {
    return transactions.run("acquiring the lease of relay " + relay, this::acquire);
  }

  private OptionalLong acquire(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(acquire)) {
      new Parameters(statement).text(relay).text(owner).duration(lease);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /** Renews the lease, and returns whether this process still has it. */
  boolean renew(long fence) {
    return transactions.run(
        "renewing the lease of relay " + relay,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(renew)) {
            new Parameters(statement).duration(lease).text(relay).number(fence);
            return statement.executeUpdate() == 1;
          }
        });
  }

  /** Ends the lease, so that another process need not wait for it to expire. */
  void end(long fence) {
    transactions.run(
        "ending the lease of relay " + relay,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(end)) {
            new Parameters(statement).text(relay).number(fence);
            return statement.executeUpdate();
          }
        });
  }
}
