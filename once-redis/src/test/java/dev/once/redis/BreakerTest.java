package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A clock that is about to overflow: a breaker that counts from zero fails with it. */
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);

  private final Breaker breaker = new Breaker(PAUSE, nanos::get);

  @Test
  void permitsCallsWhileTheySucceed() {
    breaker.succeeded();

    assertThat(breaker.allows()).isTrue();
    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void refusesCallsDuringThePause() {
    breaker.failed();
    nanos.addAndGet(PAUSE.toNanos() - 1);

    assertThat(breaker.allows()).isFalse();
  }

  @Test
  void letsOneCallerTryAfterThePause() {
    breaker.failed();
    nanos.addAndGet(PAUSE.toNanos());

    assertThat(breaker.allows()).isTrue();
    assertThat(breaker.allows()).isFalse();
  }

  @Test
  void letsAnotherCallerTryWhenNothingWasHeardOfTheFirst() {
    breaker.failed();
    nanos.addAndGet(PAUSE.toNanos());
    breaker.allows();
    nanos.addAndGet(PAUSE.toNanos());

    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void permitsCallsAgainAfterASuccessfulTry() {
    breaker.failed();
    nanos.addAndGet(PAUSE.toNanos());
    breaker.allows();
    breaker.succeeded();

    assertThat(breaker.allows()).isTrue();
    assertThat(breaker.allows()).isTrue();
  }
}
