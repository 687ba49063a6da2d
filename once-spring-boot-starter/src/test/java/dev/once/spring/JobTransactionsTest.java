package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.StoreException;
import dev.once.jobs.Job;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobTransactions;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs and Spring's transactions. */
class JobTransactionsTest {
  private static final Job JOB = Job.of(new JobKey("acme", "mail", "welcome", "ann"));

  private final PGSimpleDataSource database = App.newDatabase();
  private final HikariDataSource pool = pool(database);
  private final SpringJobTransactions transactions = over(pool);
  private final List<JobEvent> events = new ArrayList<>();
  private final Jobs jobs;

  JobTransactionsTest() {
    JobsSchema.apply(pool);
    jobs =
        Jobs.builder(pool)
            .transactions(transactions)
            .listener(new CommittedJobEvents(List.of(events::add)))
            .build();
  }

  @AfterEach
  void close() {
    jobs.close();
    pool.close();
  }

  @Test
  void tellsOfAJobWhenItsTransactionIsCommitted() {
    inTransaction(
        pool,
        () -> {
          jobs.enqueue(JOB);
          assertThat(events).isEmpty();
        });

    assertThat(events).hasSize(1).first().isInstanceOf(JobEvent.Added.class);
  }

  @Test
  void tellsNothingOfAJobThatIsRolledBack() {
    assertThatThrownBy(
            () ->
                inTransaction(
                    pool,
                    () -> {
                      jobs.enqueue(JOB);
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");

    assertThat(events).isEmpty();
    assertThat(count()).isZero();
  }

  @Test
  void enqueuesNothingInATransactionOfAnotherDatabase() {
    try (HikariDataSource other = pool(App.newDatabase())) {
      assertThatThrownBy(() -> inTransaction(other, () -> jobs.enqueue(JOB)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("once.transaction-manager");
      assertThat(count()).isZero();
    }
  }

  @Test
  void opensATransactionOfItsOwnWithinAnother() {
    inTransaction(
        pool,
        () -> {
          jobs.enqueue(JOB);
          assertThat(execute(connection -> count() > 0)).isFalse();
        });
  }

  @Test
  void saysSoWhenWhatWasDoneIsRolledBackAfterAll() {
    assertThatThrownBy(
            () ->
                execute(
                    connection -> {
                      new TransactionTemplate(new JdbcTransactionManager(pool))
                          .executeWithoutResult(status -> status.setRollbackOnly());
                      return false;
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("rolled back");
  }

  @Test
  void saysSoWhenTheCommitMayHaveSucceeded() {
    assertThatThrownBy(
            () ->
                execute(
                    connection -> {
                      breakOff(connection);
                      return false;
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("committing failed");
  }

  private boolean execute(JobTransactions.Callback<Boolean, RuntimeException> work) {
    try {
      return transactions.execute(work);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
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

  private static void inTransaction(DataSource source, Runnable work) {
    new TransactionTemplate(new JdbcTransactionManager(source))
        .executeWithoutResult(status -> work.run());
  }

  private int count() {
    return JdbcClient.create(pool)
        .sql("SELECT count(*) FROM once_job")
        .query(Integer.class)
        .single();
  }

  private static SpringJobTransactions over(DataSource source) {
    return new SpringJobTransactions(
        new ManagedTransactions(new JdbcTransactionManager(source), source));
  }

  private static HikariDataSource pool(PGSimpleDataSource database) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(database);
    pool.setMaximumPoolSize(4);
    return pool;
  }
}
