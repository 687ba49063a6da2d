package dev.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an owner knows about its lease when claims are slow and threads are paused. */
class HeartbeatTest {
  private static final Duration LENGTH = Duration.ofSeconds(4);
  private static final Terms TERMS = Terms.DEFAULT.withLease(LENGTH);
  private static final Claim.Granted GRANT =
      new Claim.Granted(new Key("acme", "payments", "order-42"), 7, 1);

  private final CountDownLatch renewed = new CountDownLatch(1);
  private final RenewingStore store = new RenewingStore(renewed::countDown);
  private final EngineEventPublisher publisher = new EngineEventPublisher(OnceListener.NONE);
  private final Heartbeat heartbeat = new Heartbeat(store, publisher, Duration.ZERO);

  @AfterEach
  void stop() {
    heartbeat.close();
  }

  @Test
  void renewsAtOnceWhenTheClaimTookMostOfTheLease() throws Exception {
    long sent = System.nanoTime() - LENGTH.toNanos() * 3 / 4;

    try (Lease lease = heartbeat.start(GRANT, sent, TERMS)) {
      assertThat(renewed.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lease.isLost()).isFalse();
    }
  }

  @Test
  void knowsThatTheLeaseIsOverBeforeTheTimerSaysSo() {
    long sent = System.nanoTime() - LENGTH.toNanos();

    try (Lease lease = new Lease(GRANT, sent, TERMS, store, publisher)) {
      assertThat(lease.leaseLost()).isTrue();
    }
  }

  @Test
  void renewsALeaseThatEndedBeforeItsEffectStarted() {
    long sent = System.nanoTime() - LENGTH.toNanos();

    try (Lease lease = new Lease(GRANT, sent, TERMS, store, publisher)) {
      lease.requireHeld();

      assertThat(lease.leaseLost()).isFalse();
    }
  }
}
