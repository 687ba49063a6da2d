package dev.once.jdbc;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.internal.SharedReads;
import dev.once.jdbc.internal.Batcher;
import dev.once.jdbc.internal.RoutingSources;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.DeferredInterrupt;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.Usage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in PostgreSQL, through a plain {@link DataSource}. Each method takes a connection,
 * sends its statements, commits, and returns the connection; concurrent claims and completions
 * share statements and commit. All times come from the database's clock. Use a connection pool.
 *
 * <p>The calling thread has no influence, neither by an interrupt nor by thread-bound state (a
 * transaction, a tenant): the store calls the database from its own threads, or directly where that
 * makes no difference. A source that chooses the database by the thread needs a {@linkplain
 * Builder#routing routing}.
 *
 * <p>{@link #within} is the same store inside a transaction of the caller.
 */
public final class JdbcRecordStore implements RecordStore, RecordAdmin, RecordIndex, RecordUsage {
  /** The name of the savepoint that {@link #dedicatedWithSavepoint} sets. */
  public static final String CLAIM_SAVEPOINT = TransactionRecordStore.CLAIM_SAVEPOINT;

  /** How often a key is claimed while another transaction is working on it. */
  private static final int CLAIM_TRIES = 6;

  /**
   * How often a change is tried while another transaction has locked the record: for two seconds.
   */
  private static final int CHANGE_TRIES = 16;

  /** The same for a renewal, for half a second: the next heartbeat tries again anyway. */
  private static final int RENEWAL_TRIES = 10;

  /** A larger outcome is sent by a separate statement: a batch would wait for its bytes. */
  static final int MAX_BATCHED_BYTES = 1 << 20;

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The first pause; each further one is twice as long. */
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final StoreCalls calls;
  private final Packing packing;
  private final Batcher<BatchedCall, BatchedAnswer> batcher;
  private final DuplicateRate duplicates = new DuplicateRate();
  private final SharedReads<BatchedAnswer.LargeReplay, Optional<Claim>> largeReplays =
      new SharedReads<>();
  private final PurgeCursor purgeCursor = new PurgeCursor();

  private JdbcRecordStore(StoreCalls calls, Sealing sealing) {
    this.calls = calls;
    this.packing = Packing.of(sealing);
    this.batcher =
        new Batcher<>(calls.threads(), this::sendOne, this::sendBatch, BatchedCall::bytes);
  }

  /**
   * Returns the store in {@code dataSource}'s database.
   *
   * @throws StoreException if the table is missing, or has a version that this release cannot use
   * @throws IllegalArgumentException if {@code dataSource} chooses a database by the calling thread
   */
  public static JdbcRecordStore over(DataSource dataSource) {
    return builder(dataSource).build();
  }

  /**
   * Returns the store in {@code dataSource}'s database, and encrypts outcomes before they leave
   * this process. Existing records stay readable. Every node must have the keys before any node
   * writes with them.
   *
   * @throws StoreException if the table is missing, or has a version that this release cannot use
   * @throws IllegalArgumentException if {@code dataSource} chooses a database by the calling thread
   */
  public static JdbcRecordStore over(DataSource dataSource, Sealing sealing) {
    return builder(dataSource).sealing(sealing).build();
  }

  /** Returns a builder of a store in {@code dataSource}'s database. */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Returns this store inside the transaction that is open on {@code connection}: nothing it does
   * is visible to other transactions, or survives, unless the caller commits. For one transaction
   * and one thread.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore within(Connection connection) {
    return TransactionRecordStore.joining(connection, packing);
  }

  /**
   * Returns this store inside a transaction on {@code connection} that is for one operation alone
   * and in which nothing was done before. It needs no savepoints, so it is faster than {@link
   * #within}; a release, or a claim that is not granted, rolls back the whole transaction.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore dedicated(Connection connection) {
    return dedicated(connection, () -> false);
  }

  /**
   * Does the same, and commits the transaction together with the completion, in one round trip, if
   * {@code commits} returns true. It is called when the outcome is recorded, and must return false
   * if anything is to be done in the transaction after that: writes that an ORM flushes at commit,
   * for example. If it returned true, the caller's own commit has nothing left to do.
   *
   * <p>If the connection fails at that moment, whether the operation happened is unknown until the
   * key is claimed again.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore dedicated(Connection connection, BooleanSupplier commits) {
    return TransactionRecordStore.dedicated(connection, packing, false, commits);
  }

  /**
   * Does the same, and sets {@link #CLAIM_SAVEPOINT} after the claim of the operation, in the same
   * round trip. A rollback to it undoes what the effect has done so far and keeps the claim, so
   * that the effect can go on.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordStore dedicatedWithSavepoint(Connection connection, BooleanSupplier commits) {
    return TransactionRecordStore.dedicated(connection, packing, true, commits);
  }

  /**
   * Returns what operators do with records, inside the transaction that is open on {@code
   * connection}: it takes effect with the caller's commit, together with an entry in an audit log,
   * for example. A record that another transaction has locked is not waited for.
   *
   * @throws IllegalArgumentException if {@code connection} commits every statement by itself
   */
  public RecordAdmin adminWithin(Connection connection) {
    return new TransactionRecordAdmin(connection);
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(new ClaimCall(request));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    CompletionCall end = CompletionCall.of(grant, outcome, retention, packing);
    ChangeResult change = untilFree(grant.key(), CHANGE_TRIES, () -> complete(end));
    requireOwned(grant, change == ChangeResult.MADE || change == ChangeResult.DONE_BEFORE);
  }

  @Override
  public void release(Claim.Granted grant) {
    change("release", grant, CHANGE_TRIES, it -> ReleaseStatement.execute(it, grant));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    change("renew", grant, RENEWAL_TRIES, it -> RenewStatement.execute(it, grant, lease));
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
    return purge.tenant().isPresent()
        ? calls.maintain("purge", purge.tenant().get(), it -> purge(it, purge))
        : purgeAll(new AtomicInteger(purge.limit()), purge.limit());
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return calls.call("find", key, it -> FindStatement.execute(it, key, packing));
  }

  @Override
  public List<RecordEntry> list(RecordQuery query) {
    return calls.maintain("list", query.tenant(), it -> ListStatement.execute(it, query));
  }

  @Override
  public Usage usage(String tenant, Usage enough) {
    return calls.call("usage", tenant, it -> UsageStatement.execute(it, tenant, enough));
  }

  /**
   * Counts the records: a few thousand exactly, more of them as the database estimates it. The
   * statement is cheap at any size: for gauges, not for decisions.
   */
  public long entries() {
    return calls.maintainAll("entries", EntriesStatement::execute).stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /**
   * Counts the records as {@link #entries} does, and those that are expired. Costs one look into an
   * index per tenant.
   */
  public RecordCensus census() {
    return calls.maintainAll("census", CensusStatement::execute).stream()
        .reduce(new RecordCensus(0, 0), RecordCensus::plus);
  }

  /**
   * Returns a page of the records that match, without expired ones, in the order of tenant, scope
   * and key. For operators: a page reads up to ten thousand records. Records that this release
   * cannot read are left out.
   *
   * @throws IllegalArgumentException if the store has a {@linkplain Builder#routing routing} and
   *     {@code search} names no tenant
   */
  public RecordPage search(RecordSearch search) {
    TransactionRunner.Step<RecordPage> step = it -> SearchStatement.execute(it, search);
    return search.tenant().isPresent()
        ? calls.maintain("search", search.tenant().get(), step)
        : calls.maintainAll("search", requireOneDatabase(step)).get(0);
  }

  /**
   * Counts the records of {@code tenant} by state, reading {@code maxRows} of them at most. For
   * operators: the cost grows with the number of records.
   */
  public StateCounts stateCounts(String tenant, int maxRows) {
    return calls.maintain(
        "count", tenant, it -> StateCountsStatement.execute(it, Optional.of(tenant), maxRows));
  }

  /**
   * Does the same with the records of all tenants.
   *
   * @throws IllegalArgumentException if the store has a {@linkplain Builder#routing routing}
   */
  public StateCounts stateCounts(int maxRows) {
    TransactionRunner.Step<StateCounts> step =
        it -> StateCountsStatement.execute(it, Optional.empty(), maxRows);
    return calls.maintainAll("count", requireOneDatabase(step)).get(0);
  }

  private <T> TransactionRunner.Step<T> requireOneDatabase(TransactionRunner.Step<T> step) {
    if (!calls.haveOneDatabase()) {
      throw new IllegalArgumentException(
          "the tenants have databases of their own: name the tenant of the records");
    }
    return step;
  }

  private int purgeAll(AtomicInteger left, int limit) {
    calls.maintainAll(
        "purge",
        it -> left.get() == 0 ? 0 : left.addAndGet(-purge(it, Purge.ofEveryTenant(left.get()))));
    return limit - left.get();
  }

  private int purge(Connection connection, Purge purge) throws SQLException {
    return PurgeStatement.execute(connection, purge, purgeCursor);
  }

  private Claim claim(ClaimCall claimCall) {
    for (int attempt = 0; attempt < CLAIM_TRIES; attempt++) {
      // Short pauses that double: the other claim is one statement away from being visible.
      pause(attempt == 0 ? 0 : PAUSE_NANOS << attempt);
      BatchedAnswer answer = submit(attempt == 0 ? claimCall : claimCall.asContested());
      if (answer instanceof BatchedAnswer.Claimed it) {
        return it.claim();
      }
      Optional<Claim> large =
          answer instanceof BatchedAnswer.LargeReplay it
              ? largeReplays.read(it, () -> fetch(it))
              : Optional.empty();
      if (large.isPresent()) {
        return large.get();
      }
    }
    // Another transaction still holds the key, and may be rolled back.
    return new Claim.Held(Duration.ZERO);
  }

  /** Reads a large outcome. Empty if the record has changed since the claim. */
  private Optional<Claim> fetch(BatchedAnswer.LargeReplay large) {
    return find(large.key())
        .filter(it -> it.fence() == large.fence())
        .flatMap(it -> it.outcome().map(outcome -> new Claim.Replay(outcome, it.correlation())));
  }

  private BatchedAnswer submit(BatchedCall call) {
    boolean batched = calls.haveOneDatabase() && call.bytes() <= MAX_BATCHED_BYTES;
    return batched ? batcher.submit(call) : calls.threads().call(() -> sendOne(call));
  }

  private BatchedAnswer sendOne(BatchedCall call) {
    return calls.callHere(
        call.what(),
        call.key(),
        connection ->
            call instanceof ClaimCall claimCall
                ? SingleClaim.execute(connection, claimCall, packing)
                : complete(connection, (CompletionCall) call));
  }

  private static BatchedAnswer complete(Connection connection, CompletionCall end)
      throws SQLException {
    return new BatchedAnswer.Completed(CompleteStatement.execute(connection, end));
  }

  private List<Supplier<BatchedAnswer>> sendBatch(List<BatchedCall> batch) {
    return calls.callHere(
        "a batch of " + batch.size(), it -> new RecordBatch(batch, packing).send(it, duplicates));
  }

  private ChangeResult complete(CompletionCall end) {
    if (submit(end) instanceof BatchedAnswer.Completed it) {
      return it.change();
    }
    throw new AssertionError("the answer to a completion is its change");
  }

  private void change(
      String what, Claim.Granted grant, int maxTries, TransactionRunner.Step<ChangeResult> step) {
    ChangeResult change =
        untilFree(grant.key(), maxTries, () -> calls.call(what, grant.key(), step));
    requireOwned(grant, change == ChangeResult.MADE);
  }

  private boolean operate(String what, Key key, TransactionRunner.Step<ChangeResult> step) {
    return untilFree(key, CHANGE_TRIES, () -> calls.call(what, key, step)) == ChangeResult.MADE;
  }

  /** Tries again while another transaction has locked the record, but not for long. */
  private static ChangeResult untilFree(Key key, int maxTries, Supplier<ChangeResult> attempt) {
    for (int tries = 0; tries < maxTries; tries++) {
      ChangeResult change = attempt.get();
      if (change != ChangeResult.BUSY) {
        return change;
      }
      pause(Math.min(PAUSE_NANOS << tries, LONGEST_PAUSE_NANOS));
    }
    throw ChangeResult.busy(key);
  }

  private static void pause(long nanos) {
    if (nanos > 0) {
      try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
        interrupt.sleep(nanos);
      }
    }
  }

  private static void requireOwned(Claim.Granted grant, boolean owned) {
    if (!owned) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  /** Settings of a store. Thrown away after {@link #build}. */
  public static final class Builder {
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    private final DataSource dataSource;
    private Sealing sealing = Sealing.NONE;
    private Duration timeout = StoreThreads.DEFAULT_TIMEOUT;
    private @Nullable TenantRouting routing;

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /** Sets the keys that outcomes are encrypted with; by default they are not encrypted. */
    public Builder sealing(Sealing sealing) {
      this.sealing = sealing;
      return this;
    }

    /**
     * Sets how long a call waits in the queue, and again for the database's answer if the
     * connection has no {@code socketTimeout}: {@link StoreThreads#DEFAULT_TIMEOUT} by default.
     * Choose it shorter than a lease, so that a call without an answer is repeated in time.
     */
    public Builder timeout(Duration timeout) {
      Limits.range("timeout", timeout, MIN_TIMEOUT, MAX_TIMEOUT);
      this.timeout = timeout;
      return this;
    }

    /**
     * Sets how to reach a tenant's database, if the {@code DataSource} chooses the database by the
     * calling thread. Calls do not share statements and commits then.
     */
    public Builder routing(TenantRouting routing) {
      this.routing = routing;
      return this;
    }

    /**
     * Returns the store.
     *
     * @throws StoreException if the table is missing, or has a version that this release cannot use
     * @throws IllegalArgumentException if the {@code DataSource} chooses a database by the calling
     *     thread, and there is no {@link #routing}
     */
    public JdbcRecordStore build() {
      if (routing == null) {
        RoutingSources.refuse(
            dataSource,
            ", or say how to find a tenant's database by JdbcRecordStore.builder(…).routing(…)");
      }
      StoreCalls calls = new StoreCalls(dataSource, timeout, routing);
      calls.requireSchema();
      return new JdbcRecordStore(calls, sealing);
    }
  }
}
