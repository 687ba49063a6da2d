package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.testkit.TestRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/operating/redis.md says about users and options. */
@Timeout(60)
class RedisAclTest {
  private static final Path PAGE = Path.of("..", "docs", "operating", "redis.md");

  @Test
  void needsNoMoreRightsThanTheGuideSays() throws Exception {
    String rights =
        Files.readString(PAGE)
            .lines()
            .filter(cacheConnection -> cacheConnection.startsWith("user shop on >"))
            .findFirst()
            .orElseThrow();
    try (TestRedis redis = TestRedis.start(rights.replace("…", "secret"));
        RedisRecordStore store =
            RedisRecordStore.connect(
                RedisURI.builder(RedisURI.create(redis.uri()))
                    .withAuthentication("shop", "secret")
                    .build());
        Once once = Once.over(store)) {
      Request<@Nullable String> charge =
          Request.of(new Key("acme", "payments", "order-42"), Codec.text());

      Result<@Nullable String> result =
          once.run(
              charge,
              execution -> {
                store.watch(charge.key()).close();
                return "receipt";
              });

      assertThat(result).isInstanceOf(Result.Executed.class);
      assertThat(once.run(charge, execution -> "again").orThrow()).isEqualTo("receipt");
      try (RedisClient admin = RedisClient.create(redis.uri())) {
        assertThat(admin.connect().sync().aclLog()).as("refused commands").isEmpty();
      }
    }
  }

  @Test
  void takesOptionsThatWereAddedToItsOwn() {
    try (RedisClient client = TestStores.client(TestRedis.shared())) {
      ClientOptions more =
          RedisRecordStore.options().mutate().pingBeforeActivateConnection(false).build();
      client.setOptions(more);

      assertThatCode(() -> RedisRecordStore.over(client).close()).doesNotThrowAnyException();
    }
  }
}
