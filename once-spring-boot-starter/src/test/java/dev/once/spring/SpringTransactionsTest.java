package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.servlet.Transactions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Records are only kept together with writes that are in the same database. */
class SpringTransactionsTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final Request<@Nullable String> order =
      Request.of(new Key("acme", "orders", "1"), Codec.text());
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
      SpringTransactions foreign = transactions(records, new JdbcTransactionManager(other));

      assertThatThrownBy(() -> foreign.execute(joined -> runs.incrementAndGet()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("JdbcTransactionManager")
          .hasMessageContaining("once.transaction-manager");
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void executesInATransactionOfTheDatabaseThatHasTheRecords() {
    assertThat(execute(records)).isEqualTo(1);
    assertThat(execute(new TransactionAwareDataSourceProxy(records))).isEqualTo(2);
    assertThat(execute(records, new LazyConnectionDataSourceProxy(records))).isEqualTo(3);
    assertThat(execute(new DelegatingDataSource(records), records)).isEqualTo(4);
  }

  /** Another connection sees the outcome before the manager commits. */
  @Test
  void sendsTheCommitWithTheOutcome() {
    boolean committed =
        transactions()
            .<Boolean, RuntimeException>execute(
                joined -> {
                  joined.run(order, execution -> "placed");
                  return store.find(order.key()).isPresent();
                });

    assertThat(committed).isTrue();
    assertThat(once.run(order, execution -> "never").orThrow()).isEqualTo("placed");
  }

  @Test
  void sendsTheCommitWithTheOutcomeBeforeWhatIsToBeDoneAfterIt() {
    AtomicInteger after = new AtomicInteger();

    boolean committed =
        transactions()
            .<Boolean, RuntimeException>execute(
                joined -> {
                  joined.run(order, execution -> registerAfterCommit(after));
                  assertThat(after).hasValue(0);
                  return store.find(order.key()).isPresent();
                });

    assertThat(committed).isTrue();
    assertThat(after).hasValue(1);
  }

  @Test
  void returnsTheConnectionOfATransaction() {
    transactions().<Object, RuntimeException>execute(joined -> runs.incrementAndGet());
    assertThatThrownBy(() -> transactions().execute(joined -> refuse()))
        .hasMessage("refused by the test");

    assertThat(records.getHikariPoolMXBean().getActiveConnections()).isZero();
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }

  @Test
  void commitsAfterWhatIsToBeDoneBeforeTheCommit() {
    boolean committed =
        transactions()
            .<Boolean, RuntimeException>execute(
                joined -> {
                  joined.run(order, execution -> registerBeforeCommit());
                  return store.find(order.key()).isPresent();
                });

    assertThat(committed).isFalse();
    assertThat(store.find(order.key())).isPresent();
  }

  @Test
  void commitsNothingOfATransactionThatIsMarkedForRollback() {
    JdbcTransactionManager manager = new JdbcTransactionManager(records);
    SpringTransactions transactions = transactions(records, manager);

    assertThatThrownBy(
            () ->
                transactions.<Object, RuntimeException>execute(
                    joined ->
                        joined.run(
                            order,
                            execution -> {
                              TransactionStatus inner = manager.getTransaction(null);
                              manager.rollback(inner);
                              return "never";
                            })))
        .isInstanceOf(Transactions.RolledBackException.class);
    assertThat(store.find(order.key())).isEmpty();
  }

  @Test
  void refusesASourceThatRoutesByThread() {
    AbstractRoutingDataSource routing =
        new AbstractRoutingDataSource() {
          @Override
          protected Object determineCurrentLookupKey() {
            return "acme";
          }
        };
    routing.setTargetDataSources(Map.of("acme", records));
    routing.afterPropertiesSet();

    for (DataSource source : List.of(routing, new LazyConnectionDataSourceProxy(routing))) {
      assertThatThrownBy(() -> JdbcRecordStore.over(source))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("chooses the database by the calling thread")
          .hasMessageContaining("routing(");
      assertThatThrownBy(() -> Jobs.over(source))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("chooses the database by the calling thread");
    }
  }

  private SpringTransactions transactions() {
    return transactions(records, new JdbcTransactionManager(records));
  }

  private SpringTransactions transactions(DataSource source, PlatformTransactionManager manager) {
    Map<String, Object> beans = Map.of("source", source, "manager", manager);
    OnceDatabase database = OnceDatabase.of(new StaticListableBeanFactory(beans), null, null);
    return new SpringTransactions(once, store, database);
  }

  private static Object refuse() {
    throw new IllegalStateException("refused by the test");
  }

  private static String registerAfterCommit(AtomicInteger after) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            after.incrementAndGet();
          }
        });
    return "placed";
  }

  private static String registerBeforeCommit() {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {}
        });
    return "placed";
  }

  private int execute(DataSource source) {
    return execute(source, source);
  }

  private int execute(DataSource source, DataSource managed) {
    return transactions(source, new JdbcTransactionManager(managed))
        .<Integer, RuntimeException>execute(joined -> runs.incrementAndGet());
  }

  /** With connections without auto-commit, as applications with an ORM have them. */
  private static HikariDataSource pool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(App.newDatabase());
    pool.setAutoCommit(false);
    pool.setMaximumPoolSize(2);
    return pool;
  }
}
