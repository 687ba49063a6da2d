package dev.once.spring;

import dev.once.EffectRunner;
import dev.once.Once;
import dev.once.StoreException;
import dev.once.jdbc.CommitRefusedException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.servlet.Transactions;
import dev.once.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions: methods under {@code @Transactional} that a handler calls join the
 * transaction of the claim.
 */
final class SpringTransactions implements Transactions {
  /** PostgreSQL's SQLSTATE for any statement after a failed one in the same transaction. */
  private static final String ABORTED = "25P02";

  private static final String LEASED = "set once.mode=leased (or mode = LEASED on the method).";

  private final Once once;
  private final @Nullable JdbcRecordStore store;
  private final OnceDatabase database;
  private final @Nullable ManagedTransactions transactions;

  SpringTransactions(Once once, @Nullable JdbcRecordStore store, OnceDatabase database) {
    this.once = once;
    this.store = store;
    this.database = database;
    DataSource dataSource = database.dataSource().get();
    PlatformTransactionManager manager = database.manager().get();
    this.transactions =
        store == null || dataSource == null || manager == null
            ? null
            : new ManagedTransactions(manager, dataSource);
    if (transactions != null && database.manager().name() != null) {
      database.requirePair(transactions, "once.transaction-manager is set");
    }
  }

  /** Refuses transactional mode if it cannot work here: at start, not at the first request. */
  void requireAvailable(String whatFor) {
    String what = whatFor + " is transactional";
    if (transactions == null) {
      throw unavailable(what);
    }
    database.requirePair(transactions, what);
  }

  private MisconfiguredException unavailable(String what) {
    if (database.dataSource().get() == null) {
      return unavailable(what, database.dataSource());
    }
    if (database.manager().get() == null) {
      return unavailable(what, database.manager());
    }
    return new MisconfiguredException(
        what + ", but there is no single JdbcRecordStore to join transactions with.",
        "Keep records in the application's database (leave out once.store), or " + LEASED);
  }

  private static MisconfiguredException unavailable(String what, ChosenBean<?> missing) {
    return new MisconfiguredException(
        what + ", but " + missing.problem() + " to join transactions with.",
        missing.action("Configure spring.datasource.url.") + " Or " + LEASED);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work) throws X {
    ManagedTransactions transactions = this.transactions;
    if (transactions == null) {
      throw unavailable("this operation is transactional");
    }
    ThreadBinding bound = transactions.bind();
    try {
      return execute(transactions, work);
    } finally {
      bound.close();
    }
  }

  private <T extends @Nullable Object, X extends Exception> T execute(
      ManagedTransactions transactions, Callback<T, X> work) throws X {
    TransactionStatus status = transactions.begin(TransactionDefinition.PROPAGATION_REQUIRED);
    List<Runnable> afterCommit = new ArrayList<>();
    T value;
    try {
      value = executeIn(status, joined(transactions.connection(), status, afterCommit::add), work);
    } catch (StoreException e) {
      boolean isBroken = status.isNewTransaction() && (status.isRollbackOnly() || isAborted(e));
      undo(transactions, status, e);
      throw isBroken ? new RolledBackException() : e;
    } catch (CommitRefusedException e) {
      undo(transactions, status, e);
      throw refused(e);
    } catch (Throwable failure) {
      undo(transactions, status, failure);
      throw failure;
    }
    transactions.commit(status);
    afterCommit.forEach(Runnable::run);
    return value;
  }

  private <T extends @Nullable Object, X extends Exception> T executeIn(
      TransactionStatus status, EffectRunner joined, Callback<T, X> work) throws X {
    if (!status.isNewTransaction()) {
      return work.execute(joined);
    }
    OpenTransaction open = OpenTransaction.of(status, managed());
    TransactionSynchronizationManager.bindResource(this, open);
    try {
      return work.execute(joined);
    } finally {
      TransactionSynchronizationManager.unbindResource(this);
    }
  }

  /** Returns whether writes may be put off until the commit, as an ORM does. */
  boolean isDeferring() {
    return transactions != null && !(manager() instanceof DataSourceTransactionManager);
  }

  /**
   * Sends the writes to the database that an ORM has put off until the commit of the transaction
   * that was opened here, if there is one. It is rolled back if that fails, as by its commit.
   */
  void flush() {
    OpenTransaction open = open();
    if (open != null) {
      try {
        open.status().flush();
      } catch (RuntimeException e) {
        open.status().setRollbackOnly();
        throw e;
      }
    }
  }

  /**
   * Executes a call as if it had a transaction of its own, although it joins the one that was
   * opened here. Its failure undoes only what it has done itself, unless a statement of the ORM
   * failed: that leaves its session unusable, so that all is undone. What the call has written is
   * in the database when it returns.
   */
  @Nullable Object executeAsOutermost(MethodInvocation call, boolean isReadOnly) throws Throwable {
    OpenTransaction open = open();
    if (open == null) {
      return call.proceed();
    }
    if (isDeferring() && !isReadOnly) {
      flush(); // Before the savepoint, which is to undo only what the call writes.
    }
    Savepoint savepoint = open.savepoint(isDeferring() && isReadOnly);
    ServiceSynchronizations synchronizations = ServiceSynchronizations.begin();
    Object value;
    TransactionSynchronizationManager.unbindResource(this); // Calls inside of it fail with it.
    try {
      value = call.proceed();
    } catch (Throwable failure) {
      if (open.status().isRollbackOnly() && rollBack(savepoint, failure)) {
        synchronizations.rollBack(failure);
      }
      throw failure;
    } finally {
      TransactionSynchronizationManager.bindResource(this, open);
    }
    if (isDeferring() && !isReadOnly) {
      flush();
    }
    return value;
  }

  /** Returns the transaction that was opened here, if this thread is in it and it may commit. */
  private @Nullable OpenTransaction open() {
    return TransactionSynchronizationManager.getResource(this) instanceof OpenTransaction open
            && Objects.equals(open.holder(), managed().connectionHolder())
            && !open.status().isRollbackOnly()
        ? open
        : null;
  }

  /** Leaves the transaction marked for rollback if this fails, as it does without a connection. */
  private static boolean rollBack(Savepoint savepoint, Throwable failure) {
    try {
      return savepoint.rollBack();
    } catch (RuntimeException | SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * Returns the engine in a transaction that was opened here, or in the caller's. The outcome of a
   * call in the caller's transaction is not cached: after a rollback to a savepoint, that
   * transaction may be committed without it.
   */
  private EffectRunner joined(
      Connection connection, TransactionStatus status, Executor afterCommit) {
    JdbcRecordStore store = Objects.requireNonNull(this.store, "checked before");
    if (!status.isNewTransaction()) {
      return once.joining(store.within(connection));
    }
    BooleanSupplier commits = () -> endsWithOutcome(status);
    RecordStore dedicated =
        managed().connectionHolder() instanceof ObservedConnection
            ? store.dedicatedWithSavepoint(connection, commits)
            : store.dedicated(connection, commits);
    return once.joining(dedicated, afterCommit);
  }

  /** Translates the exception as the manager would have, had it sent the commit. */
  private RuntimeException refused(CommitRefusedException e) {
    RuntimeException translated =
        manager() instanceof JdbcTransactionManager it
            ? it.getExceptionTranslator().translate("JDBC commit", null, e.reason())
            : null;
    return translated == null ? new CommitFailedException(e) : translated;
  }

  /**
   * Returns whether only the commit of the transaction is left, which may then be sent with the
   * outcome. An ORM flushes its session when its manager commits, and a synchronization may write
   * before that.
   */
  private boolean endsWithOutcome(TransactionStatus status) {
    return manager().getClass() == JdbcTransactionManager.class
        && !status.isRollbackOnly()
        && TransactionSynchronizationManager.isSynchronizationActive()
        && TransactionSynchronizationManager.getSynchronizations().stream()
            .noneMatch(EarlySynchronizations::contain);
  }

  /**
   * Returns whether a statement failed before one of the store, so that the database refuses all
   * further ones.
   */
  private static boolean isAborted(StoreException e) {
    return e.getCause() instanceof SQLException it && ABORTED.equals(it.getSQLState());
  }

  /**
   * Rolls back a transaction that was opened here. In the caller's, the engine has already rolled
   * back to its savepoint, and if all work is JDBC nothing else is left to undo: the caller may
   * continue. A savepoint does not cover the session of an ORM, so there the caller's transaction
   * is marked for rollback.
   */
  private static void undo(
      ManagedTransactions transactions, TransactionStatus status, Throwable failure) {
    boolean isUndone =
        !status.isNewTransaction()
            && transactions.manager() instanceof DataSourceTransactionManager;
    if (!isUndone) {
      transactions.rollback(status, failure);
      return;
    }
    try {
      transactions.manager().commit(status);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private PlatformTransactionManager manager() {
    return managed().manager();
  }

  private ManagedTransactions managed() {
    return Objects.requireNonNull(transactions, "checked before");
  }
}
