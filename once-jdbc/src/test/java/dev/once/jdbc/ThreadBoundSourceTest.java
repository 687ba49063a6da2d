package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.ForwardingRecordStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sources that look at what the calling thread is bound to: a tenant, or a transaction. */
class ThreadBoundSourceTest {
  private static final TestDatabase ACME = new TestDatabase("acme");
  private static final TestDatabase GLOBEX = new TestDatabase("globex");
  private static final Map<String, DataSource> DATABASES =
      Map.of("acme", ACME.dataSource(), "globex", GLOBEX.dataSource());
  private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

  private static final ThreadLocal<@Nullable Connection> TRANSACTION = new ThreadLocal<>();

  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void empty() {
    ACME.execute("TRUNCATE once_record");
    GLOBEX.execute("TRUNCATE once_record");
  }

  @AfterEach
  void unbind() {
    TENANT.remove();
  }

  @AfterAll
  static void close() {
    ACME.close();
    GLOBEX.close();
  }

  /**
   * The risk: one thread claims in the database of its tenant, another completes in another one.
   */
  @Test
  void keepsAllRecordsInOneDatabaseWhateverTheCallerIsBoundTo() throws Exception {
    DataSource routing = source(() -> present(DATABASES.get(tenantOr("acme"))));
    try (Once once = Once.over(JdbcRecordStore.over(routing))) {
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        String tenant = i % 2 == 0 ? "acme" : "globex";
        calls.add(() -> callAll(once, tenant));
      }

      assertThat(ConcurrentCalls.together(calls)).containsOnly(true);
    }

    assertThat(runs).as("effects of 100 keys").hasValue(100);
    assertThat(ACME.query("SELECT count(*) FROM once_record")).containsExactly("100");
    assertThat(GLOBEX.query("SELECT count(*) FROM once_record")).containsExactly("0");
  }

  @Test
  void refusesToStartWhereAThreadThatIsBoundToNothingFindsNoDatabase() {
    DataSource routing = source(() -> present(DATABASES.get(tenantOr("unbound"))));
    TENANT.set("acme");

    assertThatThrownBy(() -> JdbcRecordStore.over(routing))
        .hasMessage("this thread is bound to no tenant");
  }

  @Test
  void findsTheDatabaseOfEachTenantByItsRouting() {
    JdbcRecordStore store = JdbcRecordStore.builder(routed()).routing(new Routing()).build();
    try (Once once = Once.over(store)) {
      TENANT.set("globex");
      run(once, "acme", "1");
      run(once, "globex", "2");
      assertThat(run(once, "acme", "1")).isInstanceOf(Result.Replayed.class);
    }

    assertThat(ACME.query("SELECT key FROM once_record")).containsExactly("1");
    assertThat(GLOBEX.query("SELECT key FROM once_record")).containsExactly("2");
    assertThat(store.census().entries()).isEqualTo(2);
  }

  @Test
  void renewsAndPurgesByItsRouting() {
    JdbcRecordStore store = JdbcRecordStore.builder(routed()).routing(new Routing()).build();
    CountDownLatch renewed = new CountDownLatch(1);
    RecordStore observed =
        new ForwardingRecordStore(store) {
          @Override
          public void renew(Claim.Granted grant, Duration lease) {
            super.renew(grant, lease);
            renewed.countDown();
          }
        };
    Terms terms = Terms.DEFAULT.withLease(Duration.ofMillis(600));
    try (Once once = Once.over(observed)) {
      once.run(
          request("globex", "long").withTerms(terms),
          execution -> {
            renewed.await();
            assertThat(hasRenewedLease("long")).isTrue();
            return "renewed";
          });
      run(once, "acme", "other");
    } catch (InterruptedException e) {
      throw new AssertionError("the lease was lost", e);
    }
    ACME.elapse(Duration.ofDays(2));
    GLOBEX.elapse(Duration.ofDays(2));

    assertThat(store.purge(Purge.ofEveryTenant(10))).isEqualTo(2);
  }

  /** As a proxy does that gives all callers of a thread the connection of its transaction. */
  @Test
  void keepsWhatWasRecordedWhenTheTransactionOfTheCallerIsRolledBack() throws Exception {
    DataSource joining =
        source(
            () -> {
              Connection open = TRANSACTION.get();
              return open == null ? ACME.dataSource() : source(open);
            });
    try (Once once = Once.over(JdbcRecordStore.over(joining));
        Connection connection = ACME.begin(TestDatabase.Isolation.READ_COMMITTED)) {
      TRANSACTION.set(connection);
      assertThat(run(once, "acme", "1")).isInstanceOf(Result.Executed.class);
      connection.rollback();

      assertThat(run(once, "acme", "1")).isInstanceOf(Result.Replayed.class);
    } finally {
      TRANSACTION.remove();
    }
  }

  private boolean callAll(Once once, String tenant) {
    TENANT.set(tenant);
    for (int i = 0; i < 100; i++) {
      run(once, "acme", "key " + i);
    }
    return true;
  }

  private Result<@Nullable String> run(Once once, String tenant, String key) {
    return once.run(request(tenant, key), execution -> "run " + runs.incrementAndGet());
  }

  private static Request<@Nullable String> request(String tenant, String key) {
    return Request.of(new Key(tenant, "orders", key), Codec.text());
  }

  private static boolean hasRenewedLease(String key) {
    return GLOBEX
        .query(
            "SELECT key FROM once_record WHERE lease_until > created_at + interval '600 ms'"
                + " AND key = '"
                + key
                + "'")
        .equals(List.of(key));
  }

  private static DataSource routed() {
    return source(() -> present(DATABASES.get(tenantOr("unbound"))));
  }

  private static String tenantOr(String other) {
    String tenant = TENANT.get();
    return tenant == null ? other : tenant;
  }

  private static DataSource present(@Nullable DataSource target) {
    if (target == null) {
      throw new IllegalStateException("this thread is bound to no tenant");
    }
    return target;
  }

  /** A source that chooses its target each time. */
  private static DataSource source(Supplier<DataSource> target) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> target.get().getConnection());
  }

  /** A source of one connection that its borrowers cannot close. */
  private static DataSource source(Connection open) {
    Connection kept =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                    method.getName().equals("close") ? null : method.invoke(open, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> kept);
  }

  private static final class Routing implements TenantRouting {
    @Override
    public void within(String tenant, Runnable call) {
      String before = TENANT.get();
      TENANT.set(tenant);
      try {
        call.run();
      } finally {
        if (before == null) {
          TENANT.remove();
        } else {
          TENANT.set(before);
        }
      }
    }

    @Override
    public Collection<String> tenants() {
      return DATABASES.keySet();
    }
  }
}
