package dev.once.jdbc;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.OnceException;
import dev.once.Outcome;
import dev.once.OutcomeUnknownException;
import dev.once.StoreException;
import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.SqlStates;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The record store inside one transaction of the caller. A claim takes the key's advisory lock and
 * looks up its record, in one round trip. If there is none, nothing is written until the outcome is
 * recorded: one insert of the completed record. If the claim takes over a record (its lease has run
 * out, it is open or expired), the grant rule changes the record, as it does outside of
 * transactions.
 *
 * <p>Each claim sets a savepoint first, and the completion releases it. The savepoint keeps the
 * caller's transaction usable: a release rolls back to it, which undoes the claim and everything
 * the effect wrote, and a claim that is not granted rolls back to it to free the key's lock. The
 * savepoint is sent in the same round trip as the claim, and its end with the completion.
 * Savepoints nest, so nested operations may all use one name.
 *
 * <p>A {@linkplain #dedicated dedicated} transaction is for one operation alone, which needs no
 * savepoint: a rollback of the transaction undoes the same. Its commit may be sent with the
 * completion. On request the claim sets a savepoint after itself, for callers that undo a part of
 * the effect: it is sent in the same round trip too.
 *
 * <p>Isolation levels: under READ COMMITTED a claim sees whatever was committed before it. Under
 * REPEATABLE READ and SERIALIZABLE it sees what was committed before the transaction's snapshot, so
 * the grant rule writes the record with the claim; if another transaction has claimed the key
 * since, PostgreSQL refuses that (40001), the claim is undone, and the answer is "held": a new
 * transaction will see the outcome.
 */
final class TransactionRecordStore implements RecordStore, RecordUsage {
  private static final String SAVE = "SAVEPOINT once;\n";
  private static final String FORGET = "RELEASE SAVEPOINT once";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT once; " + FORGET;
  private static final String COMMIT = "COMMIT";
  private static final String ENDED =
      "the effect ended the transaction it runs in; leave that to the caller";

  /**
   * The look-up is a separate statement, so that its snapshot (under READ COMMITTED) has everything
   * that was committed before the lock was taken.
   */
  private static final String BEGIN_AND_LOOK =
      "SELECT once_begin(?, ?, ?);\n" + LookupStatement.SQL;

  /** The savepoint after the claim of a dedicated transaction. */
  static final String CLAIM_SAVEPOINT = "once_claimed";

  private static final String MARK_CLAIM = "SAVEPOINT " + CLAIM_SAVEPOINT;

  // Constants, because the driver finds a prepared statement by its text, and a new string has no
  // hash code yet.
  private static final String SAVE_AND_LOOK = SAVE + BEGIN_AND_LOOK;
  private static final String LOOK_AND_MARK = BEGIN_AND_LOOK + ";\n" + MARK_CLAIM;
  private static final String COMPLETE_AND_COMMIT = PendingGrant.COMPLETE + ";\n" + COMMIT;

  /**
   * A grant of this transaction.
   *
   * @param hasSavepoint whether there is a savepoint before it
   * @param pending what the completion inserts, null if there is a record already
   */
  private record OpenGrant(
      Claim.Granted grant, boolean hasSavepoint, @Nullable PendingGrant pending) {}

  /** The second try sees a row that was committed after the snapshot of the first. */
  private static final int CLAIM_TRIES = 2;

  private final Connection connection;
  private final Packing packing;

  /** Whether the transaction is for one operation alone: then a rollback replaces the savepoint. */
  private final boolean dedicated;

  /** Whether the claim sets {@link #CLAIM_SAVEPOINT}. */
  private final boolean marksClaim;

  /** Whether the transaction may be committed together with the completion. */
  private final BooleanSupplier commits;

  /** The grants of operations that have not ended: several if operations are nested. */
  private final Map<Key, OpenGrant> open = new HashMap<>();

  private TransactionRecordStore(
      Connection connection,
      Packing packing,
      boolean dedicated,
      boolean marksClaim,
      BooleanSupplier commits) {
    this.connection = connection;
    this.packing = packing;
    this.dedicated = dedicated;
    this.marksClaim = marksClaim;
    this.commits = commits;
  }

  static TransactionRecordStore joining(Connection connection, Packing packing) {
    requireTransaction(connection);
    return new TransactionRecordStore(connection, packing, false, false, () -> false);
  }

  /**
   * Joins a transaction that is for one operation alone.
   *
   * @param marksClaim whether the claim sets {@link #CLAIM_SAVEPOINT}
   */
  static TransactionRecordStore dedicated(
      Connection connection, Packing packing, boolean marksClaim, BooleanSupplier commits) {
    requireTransaction(connection);
    return new TransactionRecordStore(connection, packing, true, marksClaim, commits);
  }

  static void requireTransaction(Connection connection) {
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
    return claim(new ClaimCall(request));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    CompletionCall end = CompletionCall.of(grant, outcome, retention, packing);
    OpenGrant own = openOf(grant);
    boolean committing = dedicated && open.size() == 1 && own != null && commits.getAsBoolean();
    PendingGrant pending = own == null ? null : own.pending();
    try (PreparedStatement statement =
        connection.prepareStatement(completeSql(own, pending != null, committing))) {
      if (pending == null) {
        CompleteStatement.bind(statement, end);
      } else {
        pending.bind(statement, end);
      }
      statement.execute();
      open.remove(grant.key());
    } catch (SQLException e) {
      throw notCompleted(grant, pending != null, committing, e);
    }
  }

  @Override
  public void release(Claim.Granted grant) {
    OpenGrant own = openOf(grant);
    open.remove(grant.key());
    try {
      undo(own == null ? !dedicated : own.hasSavepoint());
    } catch (SQLException e) {
      throw failed("release", grant.key(), e);
    }
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    OpenGrant own = openOf(grant);
    if (own != null && own.pending() != null) {
      return; // No lease can end while the transaction holds the key's lock.
    }
    try {
      if (RenewStatement.execute(connection, grant, lease) != ChangeResult.MADE) {
        throw new LeaseLostException(grant.key(), grant.fence());
      }
    } catch (SQLException e) {
      throw failed("renew", grant.key(), e);
    }
  }

  @Override
  public Optional<RecordView> find(Key key) {
    OpenGrant own = open.get(key);
    if (own != null && own.pending() != null) {
      return Optional.of(own.pending().view());
    }
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

  /** Measures after a savepoint: if that fails, the transaction of the caller stays usable. */
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

  private Claim claim(ClaimCall claimCall) {
    OpenGrant own = open.get(claimCall.key());
    if (own != null && own.pending() != null) {
      return own.pending().answer(claimCall.request());
    }
    for (int attempt = 0; attempt < CLAIM_TRIES; attempt++) {
      // A dedicated transaction needs savepoints for what is nested in its operation.
      Optional<Claim> claim = tryClaim(claimCall, !dedicated || !open.isEmpty());
      if (claim.isPresent()) {
        return claim.get();
      }
    }
    return new Claim.Held(Duration.ZERO);
  }

  /** Tries to claim the key. Empty if another transaction is working on it. */
  private Optional<Claim> tryClaim(ClaimCall claimCall, boolean savepoint) {
    try {
      BatchedAnswer answer = lookAndClaim(claimCall, savepoint);
      if (answer instanceof BatchedAnswer.Claimed it) {
        if (!(it.claim() instanceof Claim.Granted)) {
          undo(savepoint); // Releases the key's lock.
        }
        return Optional.of(it.claim());
      }
      undo(savepoint);
      return Optional.empty();
    } catch (RuntimeException e) { // A record that cannot be read.
      undoAfter(e, savepoint);
      throw e;
    } catch (SQLException e) {
      if (!SqlStates.isAborted(e)) { // If aborted, only outer savepoints exist.
        undoAfter(e, savepoint);
      }
      if (SqlStates.isConflict(e)) {
        return Optional.empty();
      }
      throw failed("claim", claimCall.key(), e);
    }
  }

  private BatchedAnswer lookAndClaim(ClaimCall claimCall, boolean savepoint) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lookSql(savepoint))) {
      bindLook(new Parameters(statement), claimCall);
      statement.execute();
      if (savepoint) {
        statement.getMoreResults(); // The first result is the savepoint's.
      }
      String begun = textIn(statement.getResultSet());
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        BatchedAnswer answer = ClaimStatement.read(row, claimCall.key(), packing);
        if (answer instanceof BatchedAnswer.Claimed || !begun.equals("begun")) {
          return answer;
        }
        if (row.getBoolean("is_current") && !row.getBoolean("found")) {
          return grant(claimCall.request(), row.getLong("now_micros"), savepoint);
        }
      }
    }
    BatchedAnswer answer =
        ClaimStatement.execute(connection, claimCall, Integer.MAX_VALUE, packing);
    if (answer instanceof BatchedAnswer.Claimed it && it.claim() instanceof Claim.Granted grant) {
      if (marksClaim && !savepoint) {
        send(MARK_CLAIM); // The one that was sent with the look-up is before the claim.
      }
      open.put(claimCall.key(), new OpenGrant(grant, savepoint, null));
    }
    return answer;
  }

  private String lookSql(boolean savepoint) {
    if (savepoint) {
      return SAVE_AND_LOOK;
    }
    return marksClaim ? LOOK_AND_MARK : BEGIN_AND_LOOK;
  }

  private BatchedAnswer grant(ClaimRequest request, long nowMicros, boolean savepoint) {
    Claim.Granted grant = new Claim.Granted(request.key(), nowMicros, 1);
    open.put(request.key(), new OpenGrant(grant, savepoint, new PendingGrant(request, grant)));
    return new BatchedAnswer.Claimed(grant);
  }

  private static void bindLook(Parameters parameters, ClaimCall claimCall) throws SQLException {
    Key key = claimCall.key();
    parameters.text(key.tenant()).text(key.scope()).text(key.value());
    LookupStatement.bind(parameters, claimCall, Integer.MAX_VALUE);
  }

  private static String textIn(ResultSet row) throws SQLException {
    row.next();
    return row.getString(1);
  }

  private @Nullable OpenGrant openOf(Claim.Granted grant) {
    OpenGrant own = open.get(grant.key());
    return own != null && own.grant().equals(grant) ? own : null;
  }

  /** Returns the SQL of a completion, with what is sent after it in the same round trip. */
  private String completeSql(@Nullable OpenGrant own, boolean pending, boolean committing) {
    if (pending && committing) {
      return COMPLETE_AND_COMMIT;
    }
    String sql = pending ? PendingGrant.COMPLETE : CompleteStatement.OR_FAIL;
    if (committing) {
      return sql + ";\n" + COMMIT;
    }
    boolean savepoint = own == null ? !dedicated : own.hasSavepoint();
    return savepoint ? sql + ";\n" + FORGET : sql;
  }

  private static OnceException notCompleted(
      Claim.Granted grant, boolean pending, boolean committing, SQLException e) {
    if (SqlStates.isLost(e) && pending) {
      return new StoreException("complete of " + grant.key() + " failed: " + ENDED, e);
    }
    if (SqlStates.isLost(e) || SqlStates.isUniqueViolation(e, "once_record")) {
      return new LeaseLostException(grant.key(), grant.fence());
    }
    if (!committing || SqlStates.isAborted(e) || SqlStates.isLockTimeout(e)) {
      return failed("complete", grant.key(), e);
    }
    return SqlStates.isUndone(e)
        ? new CommitRefusedException(SqlStates.realOf(e))
        : new OutcomeUnknownException(grant.key(), grant.fence(), e);
  }

  private void undoAfter(Exception failure, boolean savepoint) {
    try {
      undo(savepoint);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Undoes the claim, and everything the effect wrote. */
  private void undo(boolean savepoint) throws SQLException {
    if (savepoint) {
      send(UNDO);
    } else {
      connection.rollback();
    }
  }

  private void send(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static StoreException failed(String what, Key key, SQLException e) {
    String reason = SqlStates.isMissingSavepoint(e) ? ENDED : SqlStates.messageOf(e);
    return new StoreException(what + " of " + key + " failed: " + reason, SqlStates.realOf(e));
  }
}
