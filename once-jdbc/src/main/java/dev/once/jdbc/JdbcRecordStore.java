package dev.once.jdbc;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.jdbc.spi.Line;
import dev.once.jdbc.spi.Work;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.Usage;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Keeps records in PostgreSQL, through a plain {@link DataSource}. Each method takes a connection,
 * sends one statement, commits, and gives the connection back; claims and completions that come at
 * the same time share statement and commit. The database's clock is the only one. Use a pool, and
 * set the driver's {@code socketTimeout}: nothing here waits for ever, but a dead network does.
 *
 * <p>{@link #within} is the same store inside a transaction of the caller.
 */
public final class JdbcRecordStore implements RecordStore, RecordIndex, RecordUsage {
  /** How often a key is asked for again while others are at it in the same moment. */
  private static final int CLAIM_TRIES = 6;

  /** How often a record is tried that somebody's open transaction has: for two seconds in all. */
  private static final int CHANGE_TRIES = 16;

  /** The same for a renewal, of half a second: the next heartbeat tries again anyway. */
  private static final int RENEWAL_TRIES = 10;

  /**
   * A larger outcome shares no statement. PostgreSQL takes a gigabyte at most, which a full trip of
   * the largest ones would exceed, and nobody on it would be completed.
   */
  static final int MAX_SHARED_BYTES = 1 << 20;

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The first pause; each further one is twice as long. */
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final Work work;
  private final Packing packing;
  private final Line<ClaimAsk, Optional<Claim>> claims;
  private final Line<Completion, Change> completions;

  private JdbcRecordStore(DataSource dataSource, Sealing sealing) {
    this.work = new Work(dataSource);
    this.packing = Packing.of(sealing);
    this.claims = new Line<>(this::claimAlone, this::claimTogether, it -> it.request().key());
    this.completions =
        new Line<>(this::completeAlone, this::completeTogether, it -> it.grant().key());
  }

  /**
   * The store whose table is in {@code dataSource}'s database.
   *
   * @throws StoreException if the table is missing, or of another release than this one can use
   */
  public static JdbcRecordStore over(DataSource dataSource) {
    return over(dataSource, Sealing.NONE);
  }

  /**
   * The same, and outcomes are encrypted before they leave this process. Records from before stay
   * readable. Every node has to have the keys before one of them writes with them.
   *
   * @throws StoreException if the table is missing, or of another release than this one can use
   */
  public static JdbcRecordStore over(DataSource dataSource, Sealing sealing) {
    JdbcSchema.check(dataSource);
    return new JdbcRecordStore(dataSource, sealing);
  }

  /**
   * This store inside the transaction that is open on {@code connection}: nothing it does is
   * visible to anyone, or survives, unless the caller commits. For one transaction and one thread.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore within(Connection connection) {
    return TransactionRecordStore.joining(connection, packing);
  }

  /**
   * This store inside a transaction on {@code connection} that is for one operation alone and in
   * which nothing was done before. It needs no savepoints, so it is faster than {@link #within};
   * giving up the operation rolls back the whole transaction.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore alone(Connection connection) {
    return TransactionRecordStore.alone(connection, packing);
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
    Completion end = Completion.of(grant, outcome, retention, packing);
    Change change = untilFree(grant.key(), CHANGE_TRIES, () -> complete(end));
    requireOwned(grant, change == Change.MADE || change == Change.DONE_BEFORE);
  }

  @Override
  public void release(Claim.Granted grant) {
    change(
        "release", grant, CHANGE_TRIES, connection -> ReleaseStatement.execute(connection, grant));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    change(
        "renew",
        grant,
        RENEWAL_TRIES,
        connection -> RenewStatement.execute(connection, grant, lease));
  }

  @Override
  public boolean reopen(Key key) {
    return operate("reopen", key, connection -> ReopenStatement.execute(connection, key));
  }

  @Override
  public boolean expire(Key key) {
    return operate("expire", key, connection -> ExpireStatement.execute(connection, key));
  }

  @Override
  public int purge(Purge purge) {
    return work.run("purge", connection -> PurgeStatement.execute(connection, purge));
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return work.run("find", key, connection -> FindStatement.execute(connection, key, packing));
  }

  @Override
  public List<RecordEntry> list(RecordQuery query) {
    return work.run("list", connection -> ListStatement.execute(connection, query));
  }

  @Override
  public Usage usage(String tenant, Usage enough) {
    return work.run("usage", connection -> UsageStatement.execute(connection, tenant, enough));
  }

  /** How many records there are, in one cheap statement: for gauges, not for decisions. */
  public RecordCensus census() {
    return work.run("census", CensusStatement::execute);
  }

  private Claim claim(ClaimAsk ask) {
    for (int attempt = 0; attempt < CLAIM_TRIES; attempt++) {
      // Short pauses that double: the other claim is one statement away from being visible.
      pause(attempt == 0 ? 0 : PAUSE_NANOS << attempt);
      Optional<Claim> claim = claims.ride(ask);
      if (claim.isPresent()) {
        return claim.get();
      }
    }
    // Somebody keeps the key in an open transaction, which may still come to nothing.
    return new Claim.Held(Duration.ZERO);
  }

  private Optional<Claim> claimAlone(ClaimAsk ask) {
    return work.run(
        "claim",
        ask.request().key(),
        connection -> ClaimStatement.execute(connection, ask, packing));
  }

  private List<Supplier<Optional<Claim>>> claimTogether(List<ClaimAsk> asks) {
    return work.run("claims", connection -> ClaimBatch.execute(connection, asks, packing));
  }

  private Change complete(Completion end) {
    return end.body().storedBytes() > MAX_SHARED_BYTES ? completeAlone(end) : completions.ride(end);
  }

  private Change completeAlone(Completion end) {
    return work.run(
        "complete", end.grant().key(), connection -> CompleteStatement.execute(connection, end));
  }

  private List<Supplier<Change>> completeTogether(List<Completion> ends) {
    return work.run("completions", connection -> CompleteBatch.execute(connection, ends));
  }

  private void change(String what, Claim.Granted grant, int maxTries, Work.Step<Change> step) {
    Change change = untilFree(grant.key(), maxTries, () -> work.run(what, grant.key(), step));
    requireOwned(grant, change == Change.MADE);
  }

  private boolean operate(String what, Key key, Work.Step<Change> step) {
    return untilFree(key, CHANGE_TRIES, () -> work.run(what, key, step)) == Change.MADE;
  }

  /** Tries again while somebody's open transaction has the record, but not for long. */
  private static Change untilFree(Key key, int maxTries, Supplier<Change> attempt) {
    for (int tries = 0; tries < maxTries; tries++) {
      Change change = attempt.get();
      if (change != Change.BUSY) {
        return change;
      }
      pause(Math.min(PAUSE_NANOS << tries, LONGEST_PAUSE_NANOS));
    }
    throw Change.busy(key);
  }

  /**
   * A thread that just came from a line may have been called once more, which ends a park early.
   */
  private static void pause(long nanos) {
    long deadline = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  private static void requireOwned(Claim.Granted grant, boolean owned) {
    if (!owned) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }
}
