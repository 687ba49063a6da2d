package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many transactions claim the same keys at once, and retry until they have an answer. */
class TransactionRaceTest {
  private static final int CALLERS = 8;
  private static final int KEYS = 40;

  @ParameterizedTest
  @EnumSource
  void givesEachKeyOneEffectAndEveryCallerItsAnswer(Isolation isolation) throws Exception {
    try (TestDatabase database = new TestDatabase("race");
        Once once = Once.over(database.store())) {
      database.execute("CREATE TABLE placed (what text)");
      ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
      try {
        List<Future<List<String>>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          String caller = "caller-" + i;
          answers.add(callers.submit(all(database, once, isolation, caller)));
        }

        List<String> first = answers.get(0).get();
        for (Future<List<String>> other : answers) {
          assertThat(other.get()).isEqualTo(first);
        }
        assertThat(database.query("SELECT what FROM placed")).hasSize(KEYS);
      } finally {
        callers.shutdownNow();
      }
    }
  }

  private static Callable<List<String>> all(
      TestDatabase database, Once once, Isolation isolation, String caller) {
    return () -> {
      List<String> answers = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        answers.add(untilAnswered(database, once, isolation, "key-" + key, caller));
      }
      return answers;
    };
  }

  private static String untilAnswered(
      TestDatabase database, Once once, Isolation isolation, String key, String caller)
      throws SQLException {
    Request<@Nullable String> request = Request.of(new Key("acme", "orders", key), Codec.text());
    while (true) {
      try (Connection connection = database.begin(isolation)) {
        Result<@Nullable String> result =
            once.joining(database.store().within(connection))
                .run(
                    request,
                    execution -> {
                      Sql.execute(connection, "INSERT INTO placed VALUES ('" + key + "')");
                      return caller;
                    });
        connection.commit();
        if (!(result instanceof Result.Held)) {
          return String.valueOf(result.orThrow());
        }
      } catch (SQLException | StoreException e) {
        // SERIALIZABLE may refuse a statement or the commit: nothing happened, try again.
        assertThat(isolation).isEqualTo(Isolation.SERIALIZABLE);
      }
    }
  }
}
