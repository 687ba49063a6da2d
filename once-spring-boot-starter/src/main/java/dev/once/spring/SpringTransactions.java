package dev.once.spring;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.jdbc.CommitRefusedException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.servlet.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions: what a handler does under {@code @Transactional} joins the one that the
 * claim is in.
 */
final class SpringTransactions implements Transactions {
  /** What PostgreSQL answers to any statement after one that failed. */
  private static final String ABORTED = "25P02";

  private final Once once;
  private final @Nullable JdbcRecordStore store;
  private final @Nullable DataSource dataSource;
  private final @Nullable PlatformTransactionManager manager;

  SpringTransactions(
      Once once,
      @Nullable JdbcRecordStore store,
      @Nullable DataSource dataSource,
      @Nullable PlatformTransactionManager manager) {
    this.once = once;
    this.store = store;
    this.dataSource = dataSource;
    this.manager = manager;
  }

  /** Refuses at start what could only fail at the first request. */
  void requireAvailable(String whatFor) {
    if (store == null || dataSource == null || manager == null) {
      throw new MisconfiguredException(
          whatFor
              + " is transactional, but there is no single "
              + missing()
              + " to join transactions with.",
          store == null
              ? "Keep records in the application's database (leave out once.store), or set"
                  + " once.mode=leased (or mode = LEASED on the method)."
              : "Configure spring.datasource.url, or set once.mode=leased (or mode = LEASED on the"
                  + " method).");
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work) throws X {
    requireAvailable("this operation");
    ManagedTransactions transactions =
        new ManagedTransactions(present(manager), present(dataSource));
    TransactionStatus status = transactions.begin(TransactionDefinition.PROPAGATION_REQUIRED);
    List<Runnable> afterCommit = new ArrayList<>();
    T value;
    try {
      value = work.execute(joined(transactions.connection(), status, afterCommit::add));
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

  /**
   * The engine in a transaction of our own, or in the caller's. Of the caller's nobody can tell
   * what becomes: with a savepoint it may be committed without what was done here. The cache does
   * not hear of that.
   */
  private Once joined(Connection connection, TransactionStatus status, Executor afterCommit) {
    JdbcRecordStore store = present(this.store);
    return status.isNewTransaction()
        ? once.joining(store.dedicated(connection, () -> endsWithOutcome(status)), afterCommit)
        : once.joining(store.within(connection));
  }

  /** As the manager would have told it, had it sent the commit. */
  private RuntimeException refused(CommitRefusedException e) {
    RuntimeException translated =
        present(manager) instanceof JdbcTransactionManager it
            ? it.getExceptionTranslator().translate("JDBC commit", null, e.reason())
            : null;
    return translated == null ? new CommitFailedException(e) : translated;
  }

  /**
   * Whether nothing is left to be done in the transaction but its commit, which may then travel
   * with the outcome. An ORM writes what it holds when its manager commits, and a synchronization
   * may write before that.
   */
  private boolean endsWithOutcome(TransactionStatus status) {
    return present(manager).getClass() == JdbcTransactionManager.class
        && !status.isRollbackOnly()
        && TransactionSynchronizationManager.isSynchronizationActive()
        && TransactionSynchronizationManager.getSynchronizations().stream()
            .allMatch(AfterCommit.class::isInstance);
  }

  /**
   * Whether a statement failed before, and the database takes no more: that was not the store's.
   */
  private static boolean isAborted(StoreException e) {
    return e.getCause() instanceof SQLException it && ABORTED.equals(it.getSQLState());
  }

  /**
   * Undoes a transaction of our own. In the caller's, the engine has gone back to its savepoint,
   * and where all work is JDBC nothing else is left to undo: the caller may go on. What an ORM
   * still holds in its session is behind no savepoint, so there the caller's transaction is given
   * up.
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

  private String missing() {
    if (dataSource == null) {
      return "DataSource";
    }
    return manager == null ? "PlatformTransactionManager" : "JdbcRecordStore";
  }

  private static <T> T present(@Nullable T it) {
    if (it == null) {
      throw new AssertionError("checked before");
    }
    return it;
  }
}
