package dev.once.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a cache in memory keeps, for which requests, and for how long. */
class NearCacheTest {
  private static final Key KEY = new Key("acme", "orders", "1");
  private static final Fingerprint ASKED = Fingerprint.sha256("one euro");
  private static final Duration DAY = Duration.ofDays(1);
  private static final long MAX_BYTES = 1 << 20;

  private final TestClock clock = new TestClock();
  private final NearCache cache = NearCache.builder().maxBytes(MAX_BYTES).clock(clock).build();

  @Test
  void findsWhatItKeeps() {
    cache.keep(KEY, ASKED, replay(10), () -> DAY);

    assertThat(cache.find(KEY, ASKED)).contains(replay(10));
    assertThat(cache.stats().hits()).isEqualTo(1);
  }

  @Test
  void findsNothingForAnotherRequest() {
    cache.keep(KEY, ASKED, replay(10), () -> DAY);

    assertThat(cache.find(KEY, Fingerprint.sha256("two euros"))).isEmpty();
    assertThat(cache.find(KEY, new Fingerprint("hmac-sha256", ASKED.digest()))).isEmpty();
    assertThat(cache.stats().misses()).isEqualTo(2);
  }

  @Test
  void findsNothingOnceTheRecordExpires() {
    cache.keep(KEY, ASKED, replay(10), () -> Duration.ofSeconds(2));

    clock.advance(Duration.ofSeconds(2).minusNanos(1));
    assertThat(cache.find(KEY, ASKED)).isPresent();
    clock.advance(Duration.ofNanos(1));
    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  @Test
  void keepsNothingForLongerBecauseTheProcessStoodStill() {
    cache.keep(KEY, ASKED, replay(10), this::tenSecondsAndAMinuteOfStandstill);

    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  private Duration tenSecondsAndAMinuteOfStandstill() {
    clock.advance(Duration.ofMinutes(1));
    return Duration.ofSeconds(10);
  }

  @Test
  void findsNothingThatIsOlderThanAllowed() {
    cache.keep(KEY, ASKED, replay(10), () -> DAY);

    clock.advance(NearCache.Builder.DEFAULT_MAX_AGE);

    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  @Test
  void doesNotKeepAnOutcomeForLongerBecauseItIsAskedFor() {
    cache.keep(KEY, ASKED, replay(10), () -> DAY);

    for (int i = 0; i < 59; i++) {
      clock.advance(Duration.ofSeconds(1));
      assertThat(cache.find(KEY, ASKED)).isPresent();
    }
    clock.advance(Duration.ofSeconds(1));
    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  @Test
  void doesNotTakeBackWhatWasForgotten() {
    cache.keep(KEY, ASKED, replay(10), () -> DAY);

    cache.forget(KEY);
    cache.keep(KEY, ASKED, replay(10), () -> DAY); // By a call that completed before, and was slow.

    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  @Test
  void sharesNoBytesWithItsCallers() {
    byte[] made = {1, 2, 3};
    cache.keep(KEY, ASKED, replay(made), () -> DAY);

    made[0] = 9;
    bytesOf(cache.find(KEY, ASKED).orElseThrow())[1] = 9;

    assertThat(bytesOf(cache.find(KEY, ASKED).orElseThrow())).containsExactly(1, 2, 3);
  }

  @Test
  void keepsNoMoreBytesThanAllowed() {
    for (int i = 0; i < 10_000; i++) {
      cache.keep(new Key("acme", "orders", "k" + i), ASKED, replay(1000), () -> DAY);
      assertThat(cache.stats().bytes()).isLessThanOrEqualTo(MAX_BYTES);
    }

    assertThat(cache.stats().bytes()).isGreaterThan(MAX_BYTES / 2);
    assertThat(cache.stats().entries()).isBetween(300L, 1000L);
  }

  @Test
  void leavesAnOutcomeToTheStoreThatTakesTooMuchOfIt() {
    cache.keep(KEY, ASKED, replay((int) MAX_BYTES / 8), () -> DAY);

    assertThat(cache.find(KEY, ASKED)).isEmpty();
  }

  private static Claim.Replay replay(int bytes) {
    return replay(new byte[bytes]);
  }

  private static Claim.Replay replay(byte[] bytes) {
    return new Claim.Replay(
        new Outcome(false, 201, Headers.NONE.with("ETag", "1"), Payload.of(bytes)), Headers.NONE);
  }

  private static byte[] bytesOf(Claim.Replay replay) {
    return ((Payload.Bytes) replay.outcome().payload()).toArray();
  }
}
