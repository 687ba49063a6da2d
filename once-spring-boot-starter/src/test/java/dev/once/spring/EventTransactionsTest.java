package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventTransactions.RolledBackException;
import dev.once.servlet.Transactions.CommitFailedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions for events say whether a failed commit took effect. */
class EventTransactionsTest {
  private final PGSimpleDataSource database = App.newDatabase();
  private final HikariDataSource pool = new HikariDataSource();
  private final SpringEventTransactions transactions;

  EventTransactionsTest() {
    pool.setDataSource(database);
    pool.setMaximumPoolSize(2);
    transactions =
        new SpringEventTransactions(
            new ManagedTransactions(new JdbcTransactionManager(pool), pool));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void isRolledBackIfAnActionBeforeTheCommitFails() {
    assertThatThrownBy(
            () ->
                transactions.execute(
                    connection -> {
                      insert(connection);
                      TransactionSynchronizationManager.registerSynchronization(
                          new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean isReadOnly) {
                              throw new IllegalStateException("refused");
                            }
                          });
                    }))
        .isInstanceOf(RolledBackException.class)
        .hasRootCauseMessage("refused");
    assertThat(orders()).isZero();
  }

  @Test
  void isCommittedIfAnActionAfterTheCommitFails() {
    assertThatCode(
            () ->
                transactions.execute(
                    connection -> {
                      insert(connection);
                      TransactionSynchronizationManager.registerSynchronization(
                          new AfterCommit(
                              () -> {
                                throw new IllegalStateException("too late");
                              }));
                    }))
        .doesNotThrowAnyException();
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void isUnknownIfTheCommitGetsNoAnswer() {
    assertThatThrownBy(() -> transactions.execute(this::breakOff))
        .isInstanceOf(CommitFailedException.class);
  }

  @Test
  void refusesToFlushWhatWasMarkedForRollback() {
    assertThatThrownBy(
            () ->
                transactions.execute(
                    connection -> {
                      new TransactionTemplate(new JdbcTransactionManager(pool))
                          .executeWithoutResult(status -> status.setRollbackOnly());
                      transactions.flush();
                    }))
        .hasMessageContaining("marked for rollback");
  }

  private static void insert(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO orders (item) VALUES ('pen')");
    }
  }

  private int orders() {
    return JdbcClient.create(database)
        .sql("SELECT count(*) FROM orders")
        .query(Integer.class)
        .single();
  }

  /** Ends the server's side of a transaction, so that its commit gets no answer. */
  private void breakOff(Connection connection) {
    Integer backend =
        JdbcClient.create(new SingleConnectionDataSource(connection, true))
            .sql("SELECT pg_backend_pid()")
            .query(Integer.class)
            .single();
    JdbcClient.create(database)
        .sql("SELECT pg_terminate_backend(?)")
        .param(backend)
        .query(Boolean.class)
        .single();
  }
}
