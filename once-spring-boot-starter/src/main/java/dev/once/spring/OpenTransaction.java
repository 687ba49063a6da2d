package dev.once.spring;

import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionStatus;

/**
 * A transaction that was opened for a route or a method.
 *
 * @param holder what its manager binds to the thread, except while another one is inside of it
 * @param requests how often its connection had been asked for before the claim
 */
record OpenTransaction(
    TransactionStatus status,
    ManagedTransactions transactions,
    @Nullable Object holder,
    long requests) {
  static OpenTransaction of(TransactionStatus status, ManagedTransactions transactions) {
    Object holder = transactions.connectionHolder();
    return new OpenTransaction(
        status, transactions, holder, holder instanceof ObservedConnection it ? it.requests() : 0);
  }

  /**
   * Returns a savepoint before what is done next. The one that was sent with the claim is that,
   * unless anything has asked for the connection since: a new one costs a round trip. Nothing is
   * sent before a service that only reads with an ORM: there is nothing to undo but its mark.
   */
  Savepoint savepoint(boolean isOnlyMark) throws SQLException {
    if (holder instanceof ObservedConnection it && it.requests() == requests) {
      return () -> {
        it.rollBackTo(JdbcRecordStore.CLAIM_SAVEPOINT);
        return true;
      };
    }
    if (transactions.manager() instanceof DataSourceTransactionManager) {
      Object savepoint = status.createSavepoint();
      return () -> {
        status.rollbackToSavepoint(savepoint);
        return true;
      };
    }
    RevocableSession session = transactions.session();
    return session != null && holder instanceof ConnectionHolder it
        ? ofSession(session, it, isOnlyMark)
        : () -> false; // All is undone.
  }

  private static Savepoint ofSession(
      RevocableSession session, ConnectionHolder holder, boolean isOnlyMark) throws SQLException {
    Connection connection = holder.getConnection();
    java.sql.Savepoint savepoint = isOnlyMark ? null : connection.setSavepoint();
    return () -> {
      if (!session.isRevocable()) {
        return false;
      }
      if (savepoint != null) {
        connection.rollback(savepoint);
        session.clear();
      }
      session.revoke();
      holder.resetRollbackOnly();
      return true;
    };
  }
}
