package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.ChaosCampaign;
import dev.once.testkit.ChaosFault;
import dev.once.testkit.ChaosReport;
import dev.once.testkit.TestRedis;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Callers are interrupted, connections are ended, and Redis is stopped and continued, or killed and
 * started again, all at once. For half an hour of it: {@code mvn test -pl once-redis -am
 * -Dtest=RedisChaosTest -Dsurefire.failIfNoSpecifiedTests=false -Donce.chaos.seconds=1800}.
 */
@Isolated // It needs the processors.
class RedisChaosTest {
  private static final int SECONDS = 15;

  /** An outage, the time to connect again and a killed connection may follow each other. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static final Logger LETTUCE = Logger.getLogger("io.lettuce");

  /** Redis writes everything to its disk before it answers: a kill loses nothing. */
  private final TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always");

  private final RedisClient client = TestStores.client(redis);
  private final RedisClient otherClient = TestStores.client(redis);
  private final RedisClient operator = RedisClient.create(redis.uri());

  /** Lettuce logs every connection that is lost and made again. */
  @BeforeAll
  static void quiet() {
    LETTUCE.setLevel(Level.SEVERE);
  }

  @AfterAll
  static void loud() {
    LETTUCE.setLevel(null);
  }

  @AfterEach
  void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    otherClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    operator.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    redis.close();
  }

  @Test
  void keepsEveryPromiseWhileEverythingGoesWrong() throws Exception {
    try (RedisRecordStore store = RedisRecordStore.over(client);
        RedisRecordStore otherStore = RedisRecordStore.over(otherClient)) {
      ChaosReport report =
          ChaosCampaign.over(store, otherStore)
              .seconds(SECONDS)
              .lease(LEASE)
              .fault(ChaosFault.outage("stops", this::stopForAWhile))
              .fault(ChaosFault.outage("restarts", this::killAndRestart))
              .fault(ChaosFault.disturbance("kills", this::endConnections))
              .run();

      assertThat(report.violations()).isEmpty();
      assertThat(report.count("executed")).isPositive();
      assertThat(report.count("verified")).isPositive();
      assertThat(report.count("stops")).isPositive();
      assertThat(report.count("restarts")).isPositive();
      assertThat(report.count("kills")).isPositive();
    }
  }

  private void stopForAWhile(SplittableRandom random) throws InterruptedException {
    redis.pause();
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(50, 800));
    } finally {
      redis.resume();
    }
  }

  private void killAndRestart(SplittableRandom random) throws InterruptedException {
    redis.kill();
    TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
    redis.restart();
  }

  private void endConnections(SplittableRandom random) {
    try (StatefulRedisConnection<String, String> connection = operator.connect()) {
      connection.sync().clientKill(KillArgs.Builder.typeNormal().skipme(true));
    }
  }
}
