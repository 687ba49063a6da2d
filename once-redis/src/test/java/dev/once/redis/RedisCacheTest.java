package dev.once.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.spi.Claim;
import dev.once.testkit.TestRedis;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What nodes share through Redis. */
class RedisCacheTest {
  private static final CachedDatabase WORLD = new CachedDatabase("tier", TestRedis.shared());
  private static final Fingerprint ASKED = Fingerprint.sha256("one euro");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Claim.Replay REPLAY =
      new Claim.Replay(
          new Outcome(
              false, 201, Headers.NONE.with("ETag", "1"), Payload.of("receipt".getBytes(UTF_8))),
          Headers.NONE.with("trace", "7"));
  private static final Sealing SEALED = Sealing.with(KeyRing.of("k1", new byte[KeyRing.KEY_BYTES]));

  private final Key key = new Key("acme", "api:POST:/orders", UUID.randomUUID().toString());
  private final RedisCache cache = WORLD.newRedisCache(Sealing.NONE);
  private final RedisCache elsewhere = WORLD.newRedisCache(Sealing.NONE);

  @AfterAll
  static void close() {
    WORLD.close();
  }

  @Test
  void findsWhatAnotherNodeKept() {
    keepElsewhere(elsewhere);

    assertThat(cache.find(key, ASKED)).contains(REPLAY);
    assertThat(cache.stats().hits()).isEqualTo(1);
  }

  @Test
  void usesTheNamesThatOperatorsKnow() {
    keepElsewhere(elsewhere);

    assertThat(nameOf(key))
        .startsWith("idempo:")
        .endsWith(":acme:api%3APOST%3A/orders:" + key.value());
    assertThat(WORLD.commands().pttl(nameOf(key)))
        .isBetween(DAY.minusSeconds(10).toMillis(), DAY.minusSeconds(1).toMillis());
  }

  // A10
  @Test
  void leavesNothingToPurge() {
    keepElsewhere(elsewhere);
    assertThat(WORLD.commands().pttl(nameOf(key))).isPositive();

    cache.forget(key);
    assertThat(WORLD.commands().pttl(nameOf(key))).isPositive();
  }

  @Test
  void leavesAnInterruptToItsCaller() {
    keepElsewhere(elsewhere);

    Thread.currentThread().interrupt();
    cache.find(key, ASKED);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(cache.stats().failures()).isZero();
    assertThat(cache.find(key, ASKED)).contains(REPLAY);
  }

  @Test
  void findsNothingForAnotherRequest() {
    keepElsewhere(elsewhere);

    assertThat(cache.find(key, Fingerprint.sha256("two euros"))).isEmpty();
  }

  @Test
  void findsNothingThatOutlivedItsRecordInRedis() {
    elsewhere.keep(key, ASKED, REPLAY, () -> Duration.ofMinutes(1));
    awaitKept(key);
    WORLD.commands().persist(nameOf(key)); // As if Redis had received it only now.

    WORLD.elapse(Duration.ofMinutes(1));

    assertThat(cache.find(key, ASKED)).isEmpty();
  }

  @Test
  void forgetsOnEveryNode() {
    keepElsewhere(elsewhere);

    cache.forget(key);
    keepElsewhere(elsewhere); // By a slow call.

    assertThat(cache.find(key, ASKED)).isEmpty();
    assertThat(elsewhere.find(key, ASKED)).isEmpty();
  }

  @Test
  void takesWhatItCannotReadForAMiss() {
    WORLD.commands().set(nameOf(key), "what another program wrote");

    assertThat(cache.find(key, ASKED)).isEmpty();
    assertThat(cache.stats().failures()).isEqualTo(1);
  }

  @Test
  void sealsWhatOthersMustNotRead() {
    keepElsewhere(WORLD.newRedisCache(SEALED));

    assertThat(WORLD.newRedisCache(SEALED).find(key, ASKED)).contains(REPLAY);
    assertThat(WORLD.commands().get(nameOf(key))).doesNotContain("receipt").doesNotContain("trace");
  }

  @Test
  void takesWhatIsSealedWithAnUnknownKeyForAMiss() {
    keepElsewhere(WORLD.newRedisCache(SEALED));

    assertThat(cache.find(key, ASKED)).isEmpty();
  }

  @Test
  void treatsAnUnsealedOutcomeAsForgedWhereOutcomesAreSealed() {
    keepElsewhere(elsewhere);

    assertThat(WORLD.newRedisCache(SEALED).find(key, ASKED)).isEmpty();
  }

  @Test
  void takesWhatWasSealedForAnotherRecordForAMiss() {
    RedisCache sealed = WORLD.newRedisCache(SEALED);
    keepElsewhere(sealed);
    Key other = new Key("globex", key.scope(), key.value());

    WORLD.commands().copy(nameOf(key), nameOf(other));

    assertThat(sealed.find(other, ASKED)).isEmpty();
  }

  private void keepElsewhere(RedisCache node) {
    node.keep(key, ASKED, REPLAY, () -> DAY);
    awaitKept(key);
  }

  private static void awaitKept(Key key) {
    Polling.until(() -> WORLD.commands().exists(nameOf(key)) == 1);
  }

  private static String nameOf(Key key) {
    return KeyNames.of("idempo", WORLD.environment(), key.tenant(), key.scope(), key.value());
  }
}
