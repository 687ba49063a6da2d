package dev.once.spring;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.servlet.Transactions;
import dev.once.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
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
          "Configure spring.datasource.url, or set once.mode=leased (or mode = LEASED on the"
              + " method).");
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work) throws X {
    requireAvailable("this operation");
    PlatformTransactionManager transactions = present(manager);
    TransactionStatus status = begin(transactions);
    T value;
    try {
      requireOneDatabase(transactions, present(dataSource));
      Connection connection = DataSourceUtils.getConnection(present(dataSource));
      value = work.execute(once.joining(transaction(present(store), connection, status)));
    } catch (StoreException e) {
      boolean isBroken = status.isNewTransaction() && (status.isRollbackOnly() || isAborted(e));
      rollback(transactions, status, e);
      throw isBroken ? new RolledBackException() : e;
    } catch (Throwable failure) {
      rollback(transactions, status, failure);
      throw failure;
    }
    if (status.isNewTransaction() && status.isRollbackOnly()) {
      transactions.rollback(status);
      throw new RolledBackException();
    }
    commit(transactions, status);
    return value;
  }

  private static RecordStore transaction(
      JdbcRecordStore store, Connection connection, TransactionStatus status) {
    return status.isNewTransaction() ? store.alone(connection) : store.within(connection);
  }

  /**
   * Makes sure that the transaction is one of the database that has the records. A connection of
   * another would be in no transaction of Spring's: what the handler wrote would be committed, and
   * that it did so would be forgotten with the connection.
   */
  private static void requireOneDatabase(PlatformTransactionManager manager, DataSource records) {
    DataSource own =
        records instanceof TransactionAwareDataSourceProxy it
            ? Objects.requireNonNullElse(it.getTargetDataSource(), records)
            : records;
    // Any other manager, such as JTA's, has several databases take part when they are asked.
    if (manager instanceof ResourceTransactionManager
        && !TransactionSynchronizationManager.hasResource(own)) {
      throw new IllegalStateException(
          "the transactions of "
              + manager.getClass().getSimpleName()
              + " are not on the DataSource that has the records: mark the manager of that"
              + " DataSource as @Primary, or set once.mode=leased");
    }
  }

  /**
   * Whether a statement failed before, and the database takes no more: that was not the store's.
   */
  private static boolean isAborted(StoreException e) {
    return e.getCause() instanceof SQLException it && ABORTED.equals(it.getSQLState());
  }

  private static TransactionStatus begin(PlatformTransactionManager manager) {
    try {
      return manager.getTransaction(new DefaultTransactionDefinition());
    } catch (RuntimeException e) {
      throw new StoreException("no transaction could be opened: " + e.getMessage(), e);
    }
  }

  private static void commit(PlatformTransactionManager manager, TransactionStatus status) {
    try {
      manager.commit(status);
    } catch (UnexpectedRollbackException e) {
      throw new RolledBackException();
    } catch (DataIntegrityViolationException | ConcurrencyFailureException e) {
      throw e; // The database refused, as it would have refused a statement.
    } catch (RuntimeException e) {
      throw new CommitFailedException(e);
    }
  }

  /**
   * Undoes a transaction of our own. In the caller's, the engine has gone back to its savepoint,
   * and where all work is JDBC nothing else is left to undo: the caller may go on. What an ORM
   * still holds in its session is behind no savepoint, so there the caller's transaction is given
   * up.
   */
  private static void rollback(
      PlatformTransactionManager manager, TransactionStatus status, Throwable failure) {
    boolean isUndone =
        !status.isNewTransaction() && manager instanceof DataSourceTransactionManager;
    try {
      if (isUndone) {
        manager.commit(status);
      } else {
        manager.rollback(status);
      }
    } catch (RuntimeException e) { // A dead connection has nothing left to roll back.
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
