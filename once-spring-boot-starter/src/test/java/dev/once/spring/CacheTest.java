package dev.once.spring;

import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.once.cache.NearCache;
import dev.once.spring.Api.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Answers are replayed without the database, and only those that are in it. */
class CacheTest {
  private static App app;
  private static Api api;

  @BeforeAll
  static void start() {
    PGSimpleDataSource database = App.newDatabase();
    JdbcClient.create(database)
        .sql("CREATE TABLE deferred_orders (item text UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        .update();
    app = App.start(Shop.class, database, "once.cache.enabled=true", "once.cache.max-age=1h");
    api = app.api();
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  // D10
  @ParameterizedTest
  @ValueSource(strings = {"transactional", "leased"})
  @Timeout(60)
  void replaysWithoutAConnectionToTheDatabase(String mode) {
    try (App unplugged =
        App.start(
            Shop.class,
            "once.mode=" + mode,
            "once.cache.enabled=true",
            "spring.datasource.hikari.allow-pool-suspension=true")) {
      Answer first = unplugged.api().order("near", "lamp");
      HikariPoolMXBean pool = unplugged.bean(HikariDataSource.class).getHikariPoolMXBean();
      pool.suspendPool(); // A call that needs a connection waits for ever.

      Answer second = unplugged.api().order("near", "lamp");

      assertThat(second.replayed()).isTrue();
      assertThat(second.content()).isEqualTo(first.content());
      pool.resumePool();
    }
  }

  @Test
  void refusesAnotherRequestUnderACachedKey() {
    api.order("bound", "table");

    assertThat(api.order("bound", "chair").body()).contains("idempotency.payload_mismatch");
  }

  // A16
  @Test
  void keepsNothingOfWhatIsRefusedOrUndone() {
    long before = entries();

    api.post("/shops/1/orders/failing", "fail", wish("vase"));
    api.post("/shops/1/orders/rolled-back", "rollback", wish("mirror"));
    api.post("/shops/1/orders/direct", "direct-1", wish("radio"));
    Answer refused = api.post("/shops/1/orders/direct", "direct-2", wish("radio"));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(api.post("/shops/1/orders/direct", "direct-2", wish("radio")).replayed()).isTrue();
    assertThat(entries()).isEqualTo(before + 1);
  }

  // A16
  @Test
  void keepsNothingThatTheDatabaseRefusesToCommit() {
    api.post("/shops/1/orders/deferred", "deferred-1", wish("rug"));
    long before = entries();

    Answer refused = api.post("/shops/1/orders/deferred", "deferred-2", wish("rug"));

    assertThat(refused.status()).isEqualTo(500);
    assertThat(entries()).isEqualTo(before);
  }

  @Test
  void isNotThereUnlessTheApplicationWantsIt() {
    try (App plain = App.start(Shop.class)) {
      assertThat(plain.has(NearCache.class)).isFalse();
    }
  }

  private static long entries() {
    return app.bean(NearCache.class).stats().entries();
  }
}
