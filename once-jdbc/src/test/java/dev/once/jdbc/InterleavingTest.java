package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.once.Codec;
import dev.once.EffectRunner;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regression tests: each one failed before the interleaving in it was fixed. */
@Timeout(60)
class InterleavingTest {
  private static final TestDatabase DATABASE = new TestDatabase("interleaver");
  private static final Once ONCE = Once.over(DATABASE.store());

  private final Request<@Nullable String> order =
      Request.of(new Key("acme", "orders", UUID.randomUUID().toString()), Codec.text());

  @BeforeEach
  void createBusinessTable() {
    DATABASE.execute("DROP TABLE IF EXISTS placed; CREATE TABLE placed (what text)");
  }

  @AfterAll
  static void close() {
    ONCE.close();
    DATABASE.close();
  }

  /** The risk: a call of an operator fails without an answer, and is executed much later. */
  @Test
  void doesNotExecuteACallWhoseCallerWasToldThatItFailed() throws Exception {
    AtomicBoolean hangs = new AtomicBoolean();
    CountDownLatch back = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(8);
    AtomicInteger entered = new AtomicInteger();
    AtomicInteger passed = new AtomicInteger();
    DataSource slow =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getConnection") && hangs.get()) {
                    entered.incrementAndGet();
                    hanging.countDown();
                    back.await();
                    passed.incrementAndGet();
                  }
                  try {
                    return method.invoke(DATABASE.dataSource(), args);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    JdbcRecordStore store = JdbcRecordStore.builder(slow).timeout(Duration.ofMillis(300)).build();
    ExecutorService others = Executors.newCachedThreadPool();

    hangs.set(true);
    for (int i = 0; i < 8; i++) { // Eight calls hang: renewals, for example.
      var unused = others.submit(() -> store.find(order.key()));
    }
    assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> store.reopen(order.key())).isInstanceOf(StoreException.class);

    // Meanwhile a node with a working database executes the effect, for long.
    AtomicInteger effects = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    Future<Result<@Nullable String>> first =
        others.submit(
            () ->
                ONCE.run(
                    order,
                    execution -> {
                      effects.incrementAndGet();
                      began.countDown();
                      end.await();
                      return "first";
                    }));
    assertThat(began.await(5, TimeUnit.SECONDS)).isTrue();
    back.countDown();
    // Waits until all late calls have ended, whatever they did.
    HikariPoolMXBean pool =
        DATABASE.dataSource().unwrap(HikariDataSource.class).getHikariPoolMXBean();
    assertThat(store.find(order.key())).isPresent();
    while (passed.get() < entered.get() || pool.getActiveConnections() > 0) {
      Thread.onSpinWait();
    }

    assertThat(
            ONCE.run(
                order,
                execution -> {
                  effects.incrementAndGet();
                  return "second";
                }))
        .isInstanceOf(Result.Held.class);
    end.countDown();
    assertThat(first.get(5, TimeUnit.SECONDS)).isInstanceOf(Result.Executed.class);
    others.shutdownNow();
    assertThat(effects).hasValue(1);
  }

  /** The risk: eight calls that hang for ever stop all renewals, releases and finds, for ever. */
  @Test
  void goesOnAfterEightCallsThatHangForEver() throws Exception {
    AtomicInteger hanging = new AtomicInteger(0);
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean hangs = new AtomicBoolean();
    DataSource source =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getConnection")
                      && hangs.get()
                      && hanging.incrementAndGet() <= 8) {
                    never.await();
                  }
                  try {
                    return method.invoke(DATABASE.dataSource(), args);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    JdbcRecordStore store = JdbcRecordStore.builder(source).timeout(Duration.ofMillis(300)).build();
    hangs.set(true);
    ExecutorService others = Executors.newCachedThreadPool();
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(others.submit(() -> store.find(order.key())));
    }
    for (Future<?> call : calls) {
      assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class);
    }
    try {
      assertThat(store.find(order.key())).isEmpty(); // The database works.
    } finally {
      never.countDown();
      others.shutdownNow();
    }
  }

  /** In a joined transaction the missing savepoint shows this. */
  @Test
  void recordsNoOutcomeOfAnEffectThatRolledItsTransactionBack() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThatThrownBy(
              () -> {
                ONCE.joining(DATABASE.store().dedicated(connection, () -> true))
                    .run(
                        order,
                        execution -> {
                          insert(connection, "books");
                          connection.rollback();
                          return "books";
                        });
              })
          .isNotNull();
    }
  }

  /** The same for a commit, which has released the lock of the key. */
  @Test
  void recordsNoOutcomeOfAnEffectThatCommits() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(DATABASE.store().dedicated(connection));
      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        insert(connection, "books");
                        connection.commit();
                        return "books";
                      }))
          .hasMessageContaining("leave that to the caller");
    }
  }

  /** The risk: a nested operation of the same engine commits, or rolls back, what is around it. */
  @Test
  void keepsTheWritesAroundANestedOperationThatFails() throws Exception {
    Request<@Nullable String> inner =
        Request.of(new Key("acme", "inner", UUID.randomUUID().toString()), Codec.text());
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(DATABASE.store().dedicated(connection));
      joined.run(
          order,
          execution -> {
            insert(connection, "books");
            try {
              joined.run(
                  inner,
                  nested -> {
                    throw new IllegalStateException("no stock");
                  });
            } catch (IllegalStateException e) {
              // Not essential.
            }
            return "books";
          });
      connection.commit();
    }
    assertThat(DATABASE.query("SELECT what FROM placed")).containsExactly("books");
  }

  /** As Spring nests: the outer store dedicated, the inner one within, both on one connection. */
  @Test
  void refusesTheSameKeyInsideItsOwnEffect() throws Exception {
    AtomicInteger effects = new AtomicInteger();
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      ONCE.joining(DATABASE.store().dedicated(connection))
          .run(
              order,
              execution -> {
                effects.incrementAndGet();
                assertThat(
                        ONCE.joining(DATABASE.store().within(connection))
                            .run(
                                order,
                                nested -> {
                                  effects.incrementAndGet();
                                  return "inner";
                                }))
                    .isInstanceOf(Result.Held.class);
                return "outer";
              });
      connection.commit();
    }
    assertThat(effects).hasValue(1);
  }

  /** A constraint of the application that is checked at the commit is no lost lease. */
  @Test
  void tellsADeferredConstraintOfTheApplicationFromALostLease() throws Exception {
    DATABASE.execute(
        "ALTER TABLE placed ADD CONSTRAINT one UNIQUE (what) DEFERRABLE INITIALLY DEFERRED");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThatThrownBy(
              () ->
                  ONCE.joining(DATABASE.store().dedicated(connection, () -> true))
                      .run(
                          order,
                          execution -> {
                            insert(connection, "books");
                            insert(connection, "books");
                            return "books";
                          }))
          .isNotInstanceOf(dev.once.LeaseLostException.class);
    }
  }

  /** The risk: a connection without network timeouts is never returned. */
  @Test
  void givesAConnectionBackThatHasNoTimeouts() {
    AtomicInteger open = new AtomicInteger();
    DataSource old =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> {
                  Object it = method.invoke(DATABASE.dataSource(), args);
                  if (!(it instanceof Connection connection)) {
                    return it;
                  }
                  open.incrementAndGet();
                  return Proxy.newProxyInstance(
                      getClass().getClassLoader(),
                      new Class<?>[] {Connection.class},
                      (p, m, a) -> {
                        if (m.getName().contains("NetworkTimeout")) {
                          throw new UnsupportedOperationException(m.getName());
                        }
                        if (m.getName().equals("close")) {
                          open.decrementAndGet();
                        }
                        try {
                          return m.invoke(connection, a);
                        } catch (InvocationTargetException e) {
                          throw e.getCause();
                        }
                      });
                });
    JdbcRecordStore store = JdbcRecordStore.over(old);
    int before = open.get();
    assertThat(store.find(order.key())).isEmpty();
    assertThat(open).hasValue(before);
  }

  private static void insert(Connection connection, String what) throws java.sql.SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO placed VALUES ('" + what + "')");
    }
  }
}
