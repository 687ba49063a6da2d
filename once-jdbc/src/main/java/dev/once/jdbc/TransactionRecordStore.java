package dev.once.jdbc;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.StoreException;
import dev.once.jdbc.spi.SqlStates;
import dev.once.jdbc.spi.Work;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.Usage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * The record store inside one transaction of the caller. A savepoint is set before each claim and
 * given up when the outcome is recorded. It keeps the caller's transaction usable whatever happens:
 * a release rolls back to it, which undoes the claim and everything the effect wrote.
 *
 * <p>The savepoint travels in one round trip with the claim, and its end with the completion.
 * Savepoints nest, so nested operations may all use one name.
 *
 * <p>In a transaction that is for one operation {@linkplain #alone alone} there are no savepoints:
 * what they would undo is all there is.
 *
 * <p>What isolation levels change: under READ COMMITTED a claim sees whatever was committed before
 * it. Under REPEATABLE READ and SERIALIZABLE it sees what was committed before the transaction
 * began; if the key was taken since, PostgreSQL refuses the claim (40001), which is undone, and the
 * answer is "held": a new transaction will see the outcome.
 *
 * <p>What an operator reopens or expires here takes effect with the caller's commit, together with
 * what else the transaction wrote about it. It is tried once: nobody keeps a transaction open to
 * wait for another. There is no savepoint for it, so a conflict at the stricter isolation levels
 * breaks the caller's transaction as one with any other statement of the caller would.
 */
final class TransactionRecordStore implements RecordStore, RecordUsage {
  private static final String SAVE = "SAVEPOINT once;\n";
  private static final String FORGET = "RELEASE SAVEPOINT once";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT once; " + FORGET;
  private static final String CLAIM = SAVE + ClaimStatement.SQL;
  private static final String COMPLETE = CompleteStatement.OR_FAIL + ";\n" + FORGET;

  /** A row that appeared behind the first try's snapshot is seen by the second. */
  private static final int CLAIM_TRIES = 2;

  private final Connection connection;
  private final Packing packing;

  /** Whether the transaction is for one operation alone: then a rollback is savepoint enough. */
  private final boolean alone;

  private TransactionRecordStore(Connection connection, Packing packing, boolean alone) {
    this.connection = connection;
    this.packing = packing;
    this.alone = alone;
  }

  static TransactionRecordStore joining(Connection connection, Packing packing) {
    requireTransaction(connection);
    return new TransactionRecordStore(connection, packing, false);
  }

  static TransactionRecordStore alone(Connection connection, Packing packing) {
    requireTransaction(connection);
    return new TransactionRecordStore(connection, packing, true);
  }

  private static void requireTransaction(Connection connection) {
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalArgumentException(
            "the connection commits every statement by itself: call setAutoCommit(false) first");
      }
    } catch (SQLException e) {
      throw new StoreException("joining a transaction failed: " + e.getMessage(), e);
    }
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(new ClaimAsk(request, false));
  }

  @Override
  public Claim reconcile(ClaimRequest request) {
    return claim(new ClaimAsk(request, true));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    try (PreparedStatement statement =
        connection.prepareStatement(alone ? CompleteStatement.OR_FAIL : COMPLETE)) {
      CompleteStatement.bind(statement, Completion.of(grant, outcome, retention, packing));
      statement.execute();
    } catch (SQLException e) {
      throw SqlStates.isDivisionByZero(e)
          ? new LeaseLostException(grant.key(), grant.fence())
          : failed("complete", grant.key(), e);
    }
  }

  @Override
  public void release(Claim.Granted grant) {
    try {
      undo();
    } catch (SQLException e) {
      throw failed("release", grant.key(), e);
    }
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    try {
      if (RenewStatement.execute(connection, grant, lease) != Change.MADE) {
        throw new LeaseLostException(grant.key(), grant.fence());
      }
    } catch (SQLException e) {
      throw failed("renew", grant.key(), e);
    }
  }

  @Override
  public boolean reopen(Key key) {
    return operate("reopen", key, it -> ReopenStatement.execute(it, key));
  }

  @Override
  public boolean expire(Key key) {
    return operate("expire", key, it -> ExpireStatement.execute(it, key));
  }

  @Override
  public int purge(Purge purge) {
    try {
      return PurgeStatement.execute(connection, purge);
    } catch (SQLException e) {
      throw new StoreException("purge failed: " + SqlStates.messageOf(e), e);
    }
  }

  @Override
  public Optional<RecordView> find(Key key) {
    try {
      return FindStatement.execute(connection, key, packing);
    } catch (SQLException e) {
      throw failed("find", key, e);
    }
  }

  @Override
  public Usage usage(String tenant, Usage enough) {
    try {
      return measure(tenant, enough);
    } catch (SQLException e) {
      throw new StoreException("usage failed: " + SqlStates.messageOf(e), e);
    }
  }

  /** Behind a savepoint: the caller goes on without a measurement that fails. */
  private Usage measure(String tenant, Usage enough) throws SQLException {
    send(SAVE);
    try {
      Usage usage = UsageStatement.execute(connection, tenant, enough);
      send(FORGET);
      return usage;
    } catch (SQLException failure) {
      try {
        send(UNDO);
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  private boolean operate(String what, Key key, Work.Step<Change> step) {
    try {
      Change change = step.run(connection);
      if (change == Change.BUSY) {
        throw Change.busy(key);
      }
      return change == Change.MADE;
    } catch (SQLException e) {
      throw failed(what, key, e);
    }
  }

  private Claim claim(ClaimAsk ask) {
    for (int attempt = 0; attempt < CLAIM_TRIES; attempt++) {
      Optional<Claim> claim = tryClaim(ask);
      if (claim.isPresent()) {
        return claim.get();
      }
      startOver(ask.request().key());
    }
    return new Claim.Held(Duration.ZERO);
  }

  private Optional<Claim> tryClaim(ClaimAsk ask) {
    try (PreparedStatement statement =
        connection.prepareStatement(alone ? ClaimStatement.SQL : CLAIM)) {
      ClaimStatement.bind(statement, ask);
      statement.execute();
      if (!alone) {
        statement.getMoreResults(); // The first result is the savepoint's.
      }
      Optional<Claim> claim = read(statement, ask.request().key());
      if (!alone && !(claim.orElse(null) instanceof Claim.Granted)) {
        send(FORGET);
      }
      return claim;
    } catch (RuntimeException e) { // A record that cannot be read.
      undoAfter(e);
      throw e;
    } catch (SQLException e) {
      if (!SqlStates.isAborted(e)) { // Then there is no savepoint of ours, but maybe an outer one.
        undoAfter(e);
      }
      if (SqlStates.isConflict(e)) {
        return Optional.empty();
      }
      throw failed("claim", ask.request().key(), e);
    }
  }

  private Optional<Claim> read(Statement statement, Key key) throws SQLException {
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      return ClaimStatement.read(row, key, packing);
    }
  }

  private void undoAfter(Exception failure) {
    try {
      undo();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Undoes the claim, and everything the effect wrote. */
  private void undo() throws SQLException {
    if (alone) {
      connection.rollback();
    } else {
      send(UNDO);
    }
  }

  /** Gives the next try a new snapshot, where there is nothing else that would be lost. */
  private void startOver(Key key) {
    if (alone) {
      try {
        connection.rollback();
      } catch (SQLException e) {
        throw failed("claim", key, e);
      }
    }
  }

  private void send(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static StoreException failed(String what, Key key, SQLException e) {
    String reason =
        SqlStates.isMissingSavepoint(e)
            ? "the effect ended the transaction it runs in; leave that to the caller"
            : SqlStates.messageOf(e);
    return new StoreException(what + " of " + key + " failed: " + reason, SqlStates.realOf(e));
  }
}
