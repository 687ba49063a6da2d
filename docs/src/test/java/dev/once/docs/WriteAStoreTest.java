package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Terms;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.FaultPlan;
import dev.once.testkit.TestClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/guides/write-a-store.md that are not contracts. */
class WriteAStoreTest {
  @Test
  void movesTimeWithoutWaiting() {
    // snippet: clock
    TestClock clock = new TestClock();
    try (Once once = Once.over(new InMemoryRecordStore(clock))) {
      var order = Request.of(new Key("acme", "orders", "1"), Codec.text());
      once.run(order, execution -> "first");
      clock.advance(Duration.ofHours(24));

      assertThat(once.run(order, execution -> "second").orThrow()).isEqualTo("second");
    }
    // end
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void givesEveryCallerTheSameAnswer(long seed) throws Exception {
    // snippet: faults
    FaultPlan faults = FaultPlan.seeded(seed);
    Once once = Once.over(faults.around(new InMemoryRecordStore(faults.clock())));
    var charge =
        Request.of(new Key("acme", "payments", "order-42"), Codec.text())
            .withTerms(Terms.DEFAULT.withLease(Duration.ofMinutes(5)));
    AtomicInteger receipts = new AtomicInteger();
    Set<@Nullable String> answers = new HashSet<>();

    for (int life = 0; life < 5; life++) {
      faults.life(
          () ->
              answers.add(
                  once.run(charge, it -> "receipt " + receipts.incrementAndGet()).orThrow()));
    }
    faults.heal();
    answers.add(once.run(charge, it -> "receipt " + receipts.incrementAndGet()).orThrow());

    assertThat(answers).as(faults.toString()).hasSize(1);
    // end
    once.close();
  }

  @Test
  void bringsItsOwnServer() throws Exception {
    // snippet: postgres
    DataSource database = EmbeddedPostgres.shared().newDatabase("my_store");
    // end
    try (Connection connection = database.getConnection()) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @Test
  void survivesACrashOfItsServer() throws Exception {
    // snippet: crash
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      DataSource database = server.newDatabase("crash");
      server.kill();
      server.restart();

      try (Connection connection = database.getConnection()) {
        assertThat(connection.isValid(5)).isTrue();
      }
    }
    // end
  }
}
