package dev.once.events;

import dev.once.jdbc.internal.SqlStates;
import dev.once.spi.DeferredInterrupt;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs effects in the registry's database. Several events share a transaction, and the registry's
 * rows are a part of it. If one of them fails, all are rolled back, and each runs in its own.
 */
record TransactionalEffectRunner(
    ConsumerContext context,
    TransactionalEventEffect effect,
    AttemptPolicy policy,
    PostgresRegistry registry,
    EventTransactions transactions,
    SettlementWriter settlements,
    int batchSize)
    implements EventEffectRunner {

  /** One loss may be a restart of the server; more of them beside a server that answers are not. */
  private static final int MAX_LOST_CONNECTIONS = 1;

  /** How long an event waits after a transaction that failed without fault of its effect. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /**
   * Only a commit follows the settlement. If it does not arrive because the process is paused, or
   * disconnected without notice, the server ends the transaction after this time, and does not keep
   * the rows locked for other consumers.
   */
  private static final String LIMIT_IDLE_TIME =
      "SET LOCAL idle_in_transaction_session_timeout = '10s'";

  /** Shows whether an effect has ended the transaction, which would lose effects of others. */
  private static final String BEGIN_EFFECTS = "SAVEPOINT once_effects";

  private static final String END_EFFECTS = "RELEASE SAVEPOINT once_effects";

  @Override
  public void run(List<List<EventLease>> batch) {
    long events = batch.stream().mapToLong(List::size).sum();
    if (events > 1 && tryTogether(batch)) {
      return;
    }
    batch.forEach(this::runEach);
  }

  /**
   * Returns false if the transaction was rolled back, or its outcome is unknown. Then each event
   * runs again in its own transaction; one that was committed after all is settled already, so that
   * its second run is rolled back.
   */
  private boolean tryTogether(List<List<EventLease>> batch) {
    try {
      execute(batch);
      return true;
    } catch (Throwable e) { // The single runs show which event failed.
      Thread.interrupted();
      return false;
    }
  }

  private void runEach(List<EventLease> leases) {
    boolean goesOn = true;
    for (EventLease lease : leases) {
      if (!goesOn) {
        String why = "an earlier event of its aggregate failed";
        settlements.add(lease, AttemptResult.released(Duration.ZERO, why));
      } else {
        goesOn = runAlone(lease);
      }
    }
  }

  private boolean runAlone(EventLease lease) {
    if (lease.isLost() || lease.isOver()) {
      settlements.lost(lease);
      return false;
    }
    try {
      return execute(List.of(List.of(lease)));
    } catch (Throwable e) {
      if (lease.isLost()) {
        settlements.lost(lease);
      } else {
        // If the commit succeeded and its answer was lost, this finds the event done.
        settlements.add(lease, undone(lease, e));
      }
      return false;
    } finally {
      Thread.interrupted();
    }
  }

  /** A transaction that the database refused failed by its effect; all else was an outage. */
  private AttemptResult undone(EventLease lease, Throwable thrown) {
    if (thrown instanceof EventTransactions.RolledBackException && thrown.getCause() != null) {
      return policy.afterFailure(lease, thrown.getCause());
    }
    if (thrown instanceof ConnectionLostException lost
        && lease.pending().connectionLost() > MAX_LOST_CONNECTIONS
        && registry.isReachable()) {
      return policy.afterFailure(lease, lost);
    }
    boolean isOfEffect =
        SqlStates.isUndone(thrown)
            || SqlStates.isAborted(thrown)
            || SqlStates.isMissingSavepoint(thrown);
    return isOfEffect
        ? policy.afterFailure(lease, thrown)
        : AttemptResult.released(RETRY_DELAY, AttemptPolicy.reasonOf(thrown));
  }

  /** Runs and settles all events in one transaction. Returns whether none of them failed. */
  private boolean execute(List<List<EventLease>> batch) throws SQLException {
    List<SettleRequest> requests = new ArrayList<>();
    Map<EventLease, SettleAnswer> answers = new HashMap<>();
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      transactions.execute(
          connection -> {
            batch.forEach(leases -> leases.forEach(EventLease::unsettle));
            execute(connection, BEGIN_EFFECTS);
            try {
              Connection shared = SharedConnection.of(connection);
              for (List<EventLease> leases : batch) {
                runInOrder(leases, shared, requests);
              }
            } finally {
              interrupt.clear();
            }
            answers.putAll(settle(connection, requests));
          });
    }
    requests.forEach(it -> settlements.end(it, answers.get(it.lease())));
    return requests.stream().allMatch(it -> it.result().state() != ProcessedState.FAILED);
  }

  private void runInOrder(
      List<EventLease> leases, Connection connection, List<SettleRequest> requests)
      throws SQLException {
    boolean goesOn = true;
    for (EventLease lease : leases) {
      AttemptResult result =
          goesOn && !context.isClosing().getAsBoolean()
              ? attempt(lease, connection)
              : AttemptResult.released(
                  Duration.ZERO,
                  goesOn ? "its consumer closes" : "an earlier event of its aggregate failed");
      requests.add(new SettleRequest(lease, result));
      goesOn &= result.state() != ProcessedState.FAILED;
    }
  }

  private AttemptResult attempt(EventLease lease, Connection connection) throws SQLException {
    Optional<AttemptResult> early = policy.beforeEffect(lease);
    if (early.isPresent()) {
      return early.get();
    }
    lease.begin();
    try {
      effect.apply(lease.event(), connection);
    } catch (Throwable e) {
      if (isLost(connection)) {
        throw new ConnectionLostException(e);
      }
      throw new EventTransactions.RolledBackException(e); // Which is done next.
    } finally {
      lease.end();
    }
    return AttemptResult.DONE;
  }

  /** A connection was closed during an effect: by the effect, or by an outage. */
  private static final class ConnectionLostException extends SQLException {
    private static final long serialVersionUID = 1L;

    ConnectionLostException(Throwable cause) {
      super("the connection was lost during an effect: " + cause, "08006", cause);
    }
  }

  private static boolean isLost(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Map<EventLease, SettleAnswer> settle(Connection connection, List<SettleRequest> requests)
      throws SQLException {
    for (SettleRequest request : requests) {
      if (request.lease().isLost()) {
        throw new SQLException("the lease of " + request.lease().event() + " was lost");
      }
      request.lease().settle();
    }
    execute(connection, END_EFFECTS + ";" + LIMIT_IDLE_TIME);
    Map<EventLease, SettleAnswer> answers = registry.settle(connection, requests);
    for (SettleRequest request : requests) {
      SettleAnswer answer = answers.get(request.lease());
      if (answer == null || !answer.isNew()) {
        request.lease().unsettle();
        throw new SQLException(request.lease().event() + " was claimed or settled before");
      }
    }
    return answers;
  }
}
