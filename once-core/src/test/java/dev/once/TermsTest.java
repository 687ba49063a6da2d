package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TermsTest {
  private static final Terms TERMS = Terms.DEFAULT;

  @Test
  void takesEveryLimitItself() {
    assertThat(TERMS.withLease(Terms.MIN_LEASE).lease()).isEqualTo(Duration.ofMillis(100));
    assertThat(TERMS.withLease(Terms.MAX_LEASE).lease()).isEqualTo(Duration.ofDays(1));
    assertThat(TERMS.withMaxWait(Terms.MAX_WAIT).maxWait()).isEqualTo(Duration.ofMinutes(10));
    assertThat(TERMS.withMaxAttempts(Terms.MAX_ATTEMPTS).maxAttempts()).isEqualTo(10_000);
    assertThat(TERMS.withMaxPayloadBytes(0).maxPayloadBytes()).isZero();
  }

  @Test
  void refusesALeaseOutsideItsLimits() {
    refuses(
        () -> TERMS.withLease(Duration.ofMillis(99)),
        "lease must be PT0.1S to PT24H, got PT0.099S");
    refuses(
        () -> TERMS.withLease(Duration.ofHours(25)), "lease must be PT0.1S to PT24H, got PT25H");
  }

  @Test
  void refusesARetentionOutsideItsLimits() {
    Duration day = Duration.ofDays(1);

    refuses(
        () -> TERMS.withRetention(Duration.ZERO, day),
        "retention must be PT1S to PT9600H, got PT0S");
    refuses(
        () -> TERMS.withRetention(day, Duration.ofDays(401)),
        "retention of failures must be PT1S to PT9600H, got PT9624H");
  }

  @Test
  void refusesAWaitOutsideItsLimits() {
    refuses(
        () -> TERMS.withMaxWait(Duration.ofSeconds(-1)), "wait must be PT0S to PT10M, got PT-1S");
    refuses(
        () -> TERMS.withMaxWait(Duration.ofMinutes(11)), "wait must be PT0S to PT10M, got PT11M");
  }

  @Test
  void refusesAttemptsOutsideTheirLimits() {
    refuses(() -> TERMS.withMaxAttempts(0), "attempts must be 1 to 10000, got 0");
    refuses(() -> TERMS.withMaxAttempts(10_001), "attempts must be 1 to 10000, got 10001");
  }

  @Test
  void refusesAPayloadLimitOutsideItsLimits() {
    refuses(() -> TERMS.withMaxPayloadBytes(-1), "payload limit must be 0 to 67108864, got -1");
    refuses(
        () -> TERMS.withMaxPayloadBytes(Integer.MAX_VALUE),
        "payload limit must be 0 to 67108864, got 2147483647");
  }

  @Test
  void changesOneThingAtATime() {
    Terms terms =
        TERMS
            .withLease(Duration.ofSeconds(1))
            .withRetention(Duration.ofSeconds(2), Duration.ofSeconds(3))
            .withMaxWait(Duration.ofSeconds(4))
            .withRecovery(Recovery.ASK)
            .withMaxAttempts(5)
            .withMaxPayloadBytes(6)
            .withMaxRunTime(Duration.ofSeconds(7))
            .withMaxCompletionTime(Duration.ofSeconds(8));

    assertThat(terms).hasToString("Terms[PT1S, PT2S, PT3S, PT4S, ASK, 5, 6, PT7S, PT8S]");
  }

  @Test
  void equalsTermsWithTheSameValues() {
    assertThat(TERMS.withMaxAttempts(5).withMaxAttempts(20))
        .isEqualTo(TERMS)
        .hasSameHashCodeAs(TERMS);
    assertThat(TERMS.withMaxAttempts(5)).isNotEqualTo(TERMS);
  }

  @Test
  void keepsFailuresForTheirOwnTime() {
    Terms terms = TERMS.withRetention(Duration.ofHours(2), Duration.ofHours(1));

    assertThat(terms.retentionOf(Outcome.completed(Payload.NONE))).isEqualTo(Duration.ofHours(2));
    assertThat(terms.retentionOf(Outcome.failed(Payload.NONE))).isEqualTo(Duration.ofHours(1));
  }

  private static void refuses(ThrowingCallable change, String message) {
    assertThatIllegalArgumentException().isThrownBy(change).withMessage(message);
  }
}
