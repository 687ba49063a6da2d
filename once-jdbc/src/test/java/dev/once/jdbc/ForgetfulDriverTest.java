package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.spi.State;
import dev.once.testkit.ConcurrentCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server has committed, and the driver has no memory for the answer (SQL state 53200). */
class ForgetfulDriverTest {
  private static final TestDatabase DATABASE = new TestDatabase("forgetful");
  private static final String OUT_OF_MEMORY = "53200";

  /** At random, so that a call which is retried does not fail each time. */
  private final Random random = new Random(42);

  private final AtomicInteger runs = new AtomicInteger();

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  @Timeout(60)
  void executesEachEffectOnceAndLeavesNoKeyUncertain() throws Exception {
    List<Key> keys = new ArrayList<>();
    List<Callable<Result<@Nullable String>>> calls = new ArrayList<>();
    try (Once once = Once.over(JdbcRecordStore.over(forgetful(DATABASE.dataSource())))) {
      for (int i = 0; i < 100; i++) {
        Key key = new Key("acme", "payments", "order " + i);
        keys.add(key);
        Request<@Nullable String> payment =
            Request.of(key, Codec.text()).withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK));
        calls.add(() -> pay(once, payment));
      }

      assertThat(ConcurrentCalls.together(calls)).hasOnlyElementsOfType(Result.Executed.class);
    }

    assertThat(runs).hasValue(100);
    assertThat(keys)
        .allSatisfy(
            it ->
                assertThat(DATABASE.store().find(it).orElseThrow().state())
                    .isEqualTo(State.COMPLETED));
  }

  /** A claim that got no answer three times ends in an exception: the caller tries again. */
  private Result<@Nullable String> pay(Once once, Request<@Nullable String> payment) {
    while (true) {
      try {
        Result<@Nullable String> result =
            once.run(payment, execution -> "receipt " + runs.incrementAndGet());
        if (!(result instanceof Result.Held)) {
          return result;
        }
      } catch (StoreException e) {
        // Its claim is withdrawn in the background.
      }
    }
  }

  /** One of four answers is lost. */
  private DataSource forgetful(DataSource source) {
    return proxy(DataSource.class, source);
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer = call(target, method, arguments);
              if (target instanceof PreparedStatement
                  && method.getName().startsWith("execute")
                  && random.nextInt(4) == 0) {
                throw new SQLException(
                    "Ran out of memory retrieving query results.", OUT_OF_MEMORY);
              }
              if (answer instanceof Connection it) {
                return proxy(Connection.class, it);
              }
              return answer instanceof PreparedStatement it
                  ? proxy(PreparedStatement.class, it)
                  : answer;
            }));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
