package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Records are only kept together with writes that are in the same database. */
class SpringTransactionsTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final HikariDataSource records = pool();
  private final JdbcRecordStore store;
  private final Once once;

  SpringTransactionsTest() {
    JdbcSchema.apply(records);
    store = JdbcRecordStore.over(records);
    once = Once.over(store);
  }

  @AfterEach
  void close() {
    once.close();
    records.close();
  }

  @Test
  void executesNothingInATransactionOfAnotherDatabase() {
    try (HikariDataSource other = pool()) {
      SpringTransactions foreign =
          new SpringTransactions(once, store, records, new JdbcTransactionManager(other));

      assertThatThrownBy(() -> foreign.execute(joined -> runs.incrementAndGet()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("JdbcTransactionManager")
          .hasMessageContaining("@Primary");
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void executesInATransactionOfTheDatabaseThatHasTheRecords() {
    assertThat(execute(records)).isEqualTo(1);
    assertThat(execute(new TransactionAwareDataSourceProxy(records))).isEqualTo(2);
  }

  private int execute(DataSource source) {
    return new SpringTransactions(once, store, source, new JdbcTransactionManager(source))
        .<Integer, RuntimeException>execute(joined -> runs.incrementAndGet());
  }

  /** With connections that commit nothing by themselves, as applications with an ORM have them. */
  private static HikariDataSource pool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(App.newDatabase());
    pool.setAutoCommit(false);
    pool.setMaximumPoolSize(2);
    return pool;
  }
}
