package dev.once.events;

import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The part of the registry that belongs to one handler. */
final class PostgresRegistry implements Registry {
  private static final int VALIDATION_SECONDS = 5;

  private final ProcessedEvents events;
  private final TransactionRunner work;
  private final ClaimEventsStatement claim;
  private final SettleEventsStatement settle;
  private final RenewEventsStatement renew;

  PostgresRegistry(ProcessedEvents events, String handler, boolean needsEvery) {
    this.events = events;
    this.work = events.work();
    this.claim =
        new ClaimEventsStatement(
            events.schema(), handler, events.owner(), events.lease(), needsEvery);
    this.settle = new SettleEventsStatement(events.schema(), handler);
    this.renew = new RenewEventsStatement(events.schema(), handler, events.lease());
  }

  @Override
  public List<ClaimAnswer> claim(List<EventClaimRequest> requests) {
    return work.run("claiming events", connection -> claim.execute(connection, requests));
  }

  @Override
  public Map<EventLease, SettleAnswer> settle(List<SettleRequest> requests) {
    return work.run("settling events", connection -> settle(connection, requests));
  }

  /** Settles events in the transaction of their effects. */
  Map<EventLease, SettleAnswer> settle(Connection connection, List<SettleRequest> requests)
      throws SQLException {
    return settle.execute(connection, requests);
  }

  Renewal renew(Connection connection, List<EventLease> leases) throws SQLException {
    return renew.execute(connection, leases);
  }

  @Override
  public Duration lease() {
    return events.lease();
  }

  Duration heartbeat() {
    return events.heartbeat();
  }

  /** Returns whether the database answers on a connection of its own. */
  boolean isReachable() {
    try (Connection connection = dataSource().getConnection()) {
      return connection.isValid(VALIDATION_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  DataSource dataSource() {
    return events.dataSource();
  }
}
