package dev.once.spring;

import dev.once.StoreException;
import dev.once.servlet.Transactions.CommitFailedException;
import dev.once.servlet.Transactions.RolledBackException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of a manager on the database that has the tables of Once. The exception of a failed
 * begin or commit says whether the transaction took effect.
 */
final class ManagedTransactions {
  private final PlatformTransactionManager manager;

  /** The source under which the manager binds the connection of a transaction to the thread. */
  private final DataSource source;

  private final @Nullable HibernateSessions sessions;

  ManagedTransactions(PlatformTransactionManager manager, DataSource dataSource) {
    this.manager = manager;
    this.sessions = HibernatePresence.IS_UNDOABLE ? HibernateSessions.of(manager) : null;
    this.source = bound(manager, dataSource);
  }

  PlatformTransactionManager manager() {
    return manager;
  }

  /**
   * Begins a transaction.
   *
   * @param propagation one of the constants of {@code TransactionDefinition}
   * @throws StoreException if no transaction could be opened
   */
  TransactionStatus begin(int propagation) {
    try {
      return manager.getTransaction(new DefaultTransactionDefinition(propagation));
    } catch (RuntimeException e) {
      throw new StoreException("no transaction could be opened: " + e.getMessage(), e);
    }
  }

  /**
   * Binds the connection or session of the transaction that is begun next to this thread, so that a
   * service can be undone alone in it. Does nothing in a transaction, or if the manager binds
   * something else.
   *
   * @throws StoreException if there is no connection
   */
  ThreadBinding bind() {
    if (hasConnection()) {
      return ThreadBinding.NONE;
    }
    if (sessions != null) {
      return sessions.bind();
    }
    boolean isPlain =
        manager.getClass() == JdbcTransactionManager.class
            || manager.getClass() == DataSourceTransactionManager.class;
    if (!isPlain || !isOfManager(source)) {
      return ThreadBinding.NONE;
    }
    try {
      return ObservedConnection.bind(source);
    } catch (SQLException | RuntimeException e) {
      throw new StoreException("no transaction could be opened: " + e.getMessage(), e);
    }
  }

  private boolean isOfManager(DataSource source) {
    return manager instanceof ResourceTransactionManager it
        && it.getResourceFactory().equals(source);
  }

  /** Returns the connection of the transaction that this thread is in. */
  Connection connection() {
    if (!hasConnection()) {
      throw new IllegalStateException(
          "the transactions of "
              + manager.getClass().getSimpleName()
              + " are not on the DataSource that has the tables of Once: set"
              + " once.transaction-manager to the manager of that DataSource, or use the mode"
              + " leased, which joins no transaction");
    }
    return DataSourceUtils.getConnection(source);
  }

  /**
   * Returns whether the transaction that this thread is in is on the database of Once. If it is on
   * another one, a connection to ours would be outside of it: the writes of the handler would be
   * committed, but its record would be lost with the connection.
   */
  private boolean hasConnection() {
    return TransactionSynchronizationManager.hasResource(source);
  }

  /** Returns what identifies the transaction that this thread is in; null outside of any. */
  @Nullable Object connectionHolder() {
    return TransactionSynchronizationManager.getResource(source);
  }

  /** Returns the session of the transaction that this thread is in, if a savepoint can undo it. */
  @Nullable RevocableSession session() {
    return sessions == null ? null : sessions.current();
  }

  /** Returns whether a transaction of the manager is known to be on another database. */
  boolean areElsewhere() {
    TransactionStatus status;
    try {
      status = begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    } catch (StoreException e) {
      return false; // A source that needs a tenant, for example. Each transaction is checked later.
    }
    try {
      return !hasConnection();
    } finally {
      manager.rollback(status);
    }
  }

  /**
   * Returns the manager's own source if it leads to the same connections as {@code dataSource},
   * through Spring's proxies of either.
   */
  private static DataSource bound(PlatformTransactionManager manager, DataSource dataSource) {
    if (manager instanceof ResourceTransactionManager it
        && it.getResourceFactory() instanceof DataSource managed
        && target(managed).equals(target(dataSource))) {
      return managed;
    }
    // Managers replace this proxy by its target.
    return dataSource instanceof TransactionAwareDataSourceProxy it
        ? Objects.requireNonNullElse(it.getTargetDataSource(), dataSource)
        : dataSource;
  }

  private static DataSource target(DataSource source) {
    return source instanceof DelegatingDataSource it && it.getTargetDataSource() != null
        ? target(it.getTargetDataSource())
        : source;
  }

  /**
   * Commits.
   *
   * @throws RolledBackException if the transaction was marked for rollback, and is rolled back
   * @throws CommitFailedException if it is unknown whether the commit succeeded
   */
  void commit(TransactionStatus status) {
    if (status.isNewTransaction() && status.isRollbackOnly()) {
      manager.rollback(status);
      throw new RolledBackException();
    }
    try {
      manager.commit(status);
    } catch (UnexpectedRollbackException e) {
      throw new RolledBackException();
    } catch (DataIntegrityViolationException | ConcurrencyFailureException e) {
      throw e; // The database refused the commit, as it would a statement.
    } catch (RuntimeException e) {
      throw new CommitFailedException(e);
    }
  }

  void rollback(TransactionStatus status, Throwable failure) {
    try {
      manager.rollback(status);
    } catch (RuntimeException e) { // A dead connection has nothing left to roll back.
      failure.addSuppressed(e);
    }
  }
}
