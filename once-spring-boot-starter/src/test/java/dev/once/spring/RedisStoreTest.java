package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.redis.RedisRecordStore;
import dev.once.spring.Api.Answer;
import dev.once.testkit.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** An application with its records in Redis. */
class RedisStoreTest {
  private static final TestRedis REDIS = TestRedis.shared();
  private static final PGSimpleDataSource DATABASE = App.newDatabase();

  @Test
  void replaysFromRedis() {
    try (App app =
        App.start(
            Shop.class,
            "once.store=redis",
            "once.mode=leased",
            "once.jobs.enabled=false",
            "once.redis.url=" + REDIS.uri())) {
      Answer first = app.api().order("in redis", "lamp");
      Answer second = app.api().order("in redis", "lamp");

      assertThat(first.status()).isEqualTo(201);
      assertThat(second.replayed()).isTrue();
      assertThat(second.content()).isEqualTo(first.content());
      assertThat(app.has(RedisRecordStore.class)).isTrue();
      assertThat(app.tables("once_record")).isZero();
    }
  }

  @Test
  void takesTheAddressThatSpringKnows() {
    try (App app =
        App.start(
            Shop.class,
            "once.store=redis",
            "once.mode=leased",
            "spring.data.redis.url=" + REDIS.uri())) {
      assertThat(app.has(RedisRecordStore.class)).isTrue();
    }
  }

  @Test
  void refusesToJoinTransactionsFromRedis() {
    assertThat(report("once.store=redis", "once.redis.url=" + REDIS.uri()))
        .contains("once.mode is transactional, but there is no single JdbcRecordStore")
        .contains("leave out once.store")
        .contains("once.mode=leased");
  }

  @Test
  void asksWhereRedisIs() {
    assertThat(report("once.store=redis")).contains("its address is not set", "once.redis.url");
    assertThat(report("once.cache.enabled=true", "once.cache.redis=true"))
        .contains("once.cache.redis needs Redis");
  }

  @Test
  void hidesThePasswordInAnAddress() {
    assertThat(report("once.store=redis", "once.redis.url=http://:secret@nowhere"))
        .contains("once.redis.url is not the address of a Redis")
        .doesNotContain("secret");
    assertThat(new RedisProperties("redis://:secret@nowhere", "test").toString())
        .doesNotContain("secret");
  }

  @Test
  void asksForTheRedisThatKeepsTheRecords() {
    assertThat(report("once.store=redis", "once.redis.url=redis://127.0.0.1:1"))
        .contains("Redis, which records are kept in, cannot be reached");
  }

  private static String report(String... settings) {
    List<String> all = new ArrayList<>(App.connection(DATABASE));
    all.addAll(List.of(settings));
    return StartReport.ofStarting(MisconfigurationTest.Empty.class, all);
  }
}
