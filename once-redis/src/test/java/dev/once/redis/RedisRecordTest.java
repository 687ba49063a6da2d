package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.TestRedis;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in Redis itself: one key per record, its TTL, its format, scripts that come and go. */
class RedisRecordTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "record");
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Outcome OUTCOME = Outcome.completed(Payload.of(new byte[] {1, 2, 3}));
  private static final String NAME = "record:acme:orders:order-42";
  private static final int FENCE_PLACE = 11;

  private final RedisRecordStore store = STORES.store();
  private final ClaimRequest request =
      ClaimRequest.of(new Key("acme", "orders", "order-42"), LEASE, RETENTION);

  @BeforeEach
  void forget() {
    STORES.commands().del(NAME);
  }

  @AfterAll
  static void close() {
    STORES.close();
  }

  @Test
  void givesEveryRecordATtlOfItsLifetime() {
    Claim.Granted grant = claim();
    assertTtl(LEASE.plus(RETENTION));

    store.renew(grant, Duration.ofMinutes(10));
    assertTtl(RETENTION.plusMinutes(10));

    store.complete(grant, OUTCOME, RETENTION);
    assertTtl(RETENTION);
  }

  @Test
  void leavesTheTtlOfAClaimWhenTheOutcomeEndsWithinAMinuteOfIt() {
    store.complete(claim(), OUTCOME, RETENTION);

    assertThat(ttl()).isBetween(RETENTION, RETENTION.plus(LEASE).plusMillis(3));
  }

  @Test
  void lengthensTheTtlForAnOutcomeThatIsKeptLonger() {
    store.complete(claim(), OUTCOME, RETENTION.multipliedBy(5));

    assertTtl(RETENTION.multipliedBy(5));
  }

  @Test
  void keepsNothingOfAnExpiredRecordButItsNumbers() {
    store.complete(claim(), Outcome.completed(Payload.of(new byte[1000])), RETENTION);

    store.expire(request.key());

    assertThat(STORES.commands().strlen(NAME)).isEqualTo(53);
    assertThat(ttl()).isPositive();
  }

  @Test
  void raisesAFenceThatIsAheadOfTheClock() {
    claim();
    long ahead = System.currentTimeMillis() * 1000 + Duration.ofDays(2).toMillis() * 1000;
    setFence(ahead);
    STORES.elapse(LEASE.plus(RETENTION).minusMillis(100));
    store.reopen(request.key());

    assertThat(claim().fence()).isEqualTo(ahead + 1);
    assertThat(ttl()).as("until the clock has passed the fence").isGreaterThan(Duration.ofDays(1));
  }

  @Test
  void countsTheNextFenceFromARecordThatAnOperatorExpired() {
    Claim.Granted first = claim();
    store.complete(first, OUTCOME, RETENTION);
    long ahead = first.fence() + Duration.ofMinutes(5).toMillis() * 1000;
    setFence(ahead);
    store.expire(request.key());

    assertThat(claim()).isEqualTo(new Claim.Granted(request.key(), ahead + 1, 1));
  }

  @Test
  void keepsARecordExpiredThatAnOperatorExpiredWhenTheClockIsSetBack() {
    store.complete(claim(), OUTCOME, RETENTION);
    store.expire(request.key());

    STORES.elapse(Duration.ofMinutes(1).negated());

    assertThat(store.find(request.key())).isEmpty();
    assertThat(store.claim(request)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void healsWhenRedisForgetsItsScripts() {
    Claim.Granted grant = claim();
    STORES.commands().scriptFlush();
    store.complete(grant, OUTCOME, RETENTION);
    STORES.commands().scriptFlush();

    assertThat(store.claim(request)).isEqualTo(new Claim.Replay(OUTCOME, Headers.NONE));
  }

  @Test
  void leavesARecordOfANewerFormatAlone() {
    Claim.Granted grant = claim();
    STORES.commands().setrange(NAME, 0, "\u0002");

    assertNewer(() -> store.claim(request));
    assertNewer(() -> store.complete(grant, OUTCOME, RETENTION));
    assertNewer(() -> store.reopen(request.key()));
    assertNewer(() -> store.find(request.key()));
  }

  @Test
  void touchesNoKeyOfAnotherApplication() {
    STORES.commands().rpush(NAME, "a list of another application");

    assertThatThrownBy(() -> store.claim(request))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("prefix of its own");
  }

  private Claim.Granted claim() {
    return (Claim.Granted) store.claim(request.withNewToken());
  }

  private static void setFence(long fence) {
    STORES
        .commands()
        .eval(
            "redis.call('SETRANGE', KEYS[1], ARGV[1], struct.pack('>I8', ARGV[2]))",
            ScriptOutputType.VALUE,
            new String[] {NAME},
            Integer.toString(FENCE_PLACE),
            Long.toString(fence));
  }

  private static void assertNewer(Runnable step) {
    assertThatThrownBy(step::run)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("acme/orders/#")
        .hasMessageContaining("has format 2, this release knows up to 1");
  }

  private static void assertTtl(Duration expected) {
    assertThat(ttl()).isBetween(expected.minusSeconds(10), expected.plusMillis(3));
  }

  private static Duration ttl() {
    return Duration.ofMillis(STORES.commands().pttl(NAME));
  }
}
