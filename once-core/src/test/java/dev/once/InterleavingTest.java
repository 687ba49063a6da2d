package dev.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that come late, threads that cannot be started, and claims that stay unanswered. */
@Timeout(60)
class InterleavingTest {
  private static final Claim.Granted GRANT =
      new Claim.Granted(new Key("acme", "payments", "order-42"), 7, 1);

  private static final int LATE_CLAIMS = 15;

  /** Forwards to memory; what is overridden goes wrong. */
  private static class Store implements RecordStore {
    final InMemoryRecordStore records = new InMemoryRecordStore();

    @Override
    public Claim claim(ClaimRequest request) {
      return records.claim(request);
    }

    @Override
    public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
      records.complete(grant, outcome, retention);
    }

    @Override
    public void release(Claim.Granted grant) {
      records.release(grant);
    }

    @Override
    public void renew(Claim.Granted grant, Duration lease) {
      records.renew(grant, lease);
    }

    @Override
    public Optional<RecordView> find(Key key) {
      return records.find(key);
    }
  }

  /** The trap: the lease is marked as being renewed, and is never renewed again. */
  @Test
  void renewsWithTheNextBeatAfterNoThreadCouldBeStarted() throws Exception {
    Terms terms = Terms.DEFAULT.withLease(Duration.ofMillis(400));
    AtomicInteger renewals = new AtomicInteger();
    Store store =
        new Store() {
          @Override
          public void renew(Claim.Granted grant, Duration lease) {
            renewals.incrementAndGet();
          }
        };
    Lease lease =
        new Lease(GRANT, System.nanoTime(), terms, store, new EngineEventPublisher(e -> {}));
    TimeUnit.MILLISECONDS.sleep(150);
    try {
      lease.beat(
          task -> {
            throw new OutOfMemoryError("unable to create native thread");
          });
    } catch (OutOfMemoryError e) {
      // As Heartbeat.beat does.
    }
    lease.beat(Runnable::run);
    lease.beat(Runnable::run);
    assertThat(renewals).hasPositiveValue();
  }

  /** The trap: a renewal that throws an Error other than OutOfMemoryError ends all renewals. */
  @Test
  void renewsAgainAfterAnError() throws Exception {
    Terms terms = Terms.DEFAULT.withLease(Duration.ofMillis(400));
    AtomicInteger renewals = new AtomicInteger();
    Store store =
        new Store() {
          @Override
          public void renew(Claim.Granted grant, Duration lease) {
            if (renewals.incrementAndGet() == 1) {
              throw new StackOverflowError();
            }
          }
        };
    Lease lease =
        new Lease(GRANT, System.nanoTime(), terms, store, new EngineEventPublisher(e -> {}));
    TimeUnit.MILLISECONDS.sleep(150);
    try {
      lease.beat(Runnable::run);
    } catch (StackOverflowError e) {
      // On the thread of the renewals.
    }
    lease.beat(Runnable::run);
    assertThat(renewals).hasValueGreaterThan(1);
  }

  /**
   * The trap: the claim's answer comes after the lease, which is renewed, but the timer marks it
   * lost.
   */
  @Test
  void executesUnderALeaseThatWasRenewedBeforeTheEffectStarted() {
    Terms terms = Terms.DEFAULT.withLease(Duration.ofMillis(150)).withRecovery(Recovery.ASK);
    Store store =
        new Store() {
          @Override
          public Claim claim(ClaimRequest request) {
            sleep(160); // The request is delayed; the grant itself is new.
            return super.claim(request);
          }

          @Override
          public void renew(Claim.Granted grant, Duration lease) {
            if (!lease.isZero()) {
              sleep(2); // A round trip.
            }
            super.renew(grant, lease);
          }
        };
    int fine = 0;
    try (Once once = Once.over(store)) {
      for (int i = 0; i < LATE_CLAIMS; i++) {
        Request<@Nullable String> request =
            Request.of(new Key("acme", "late", "k" + i), Codec.text()).withTerms(terms);
        AtomicBoolean began = new AtomicBoolean();
        AtomicBoolean beganLost = new AtomicBoolean();
        once.run(
            request,
            execution -> {
              began.set(true);
              beganLost.set(execution.leaseLost() || Thread.currentThread().isInterrupted());
              return "ok";
            });
        fine += began.get() && !beganLost.get() ? 1 : 0;
      }
    }
    assertThat(fine).isEqualTo(LATE_CLAIMS);
  }

  /**
   * The trap: one pause after the other, so that few claims are withdrawn before their lease ends.
   */
  @Test
  void withdrawsAllClaimsOfAShortOutage() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    Store store =
        new Store() {
          @Override
          public Claim claim(ClaimRequest request) {
            Claim claim = super.claim(request);
            if (away.get()) {
              throw new StoreException("the answer was lost", null);
            }
            return claim;
          }
        };
    Terms terms = Terms.DEFAULT.withLease(Duration.ofSeconds(5)).withRecovery(Recovery.ASK);
    int calls = 200;
    try (Once once = Once.over(store)) {
      CountDownLatch done = new CountDownLatch(calls);
      for (int i = 0; i < calls; i++) {
        int number = i;
        new Thread(
                () -> {
                  try {
                    once.run(
                        Request.of(new Key("acme", "out", "k" + number), Codec.text())
                            .withTerms(terms),
                        execution -> "never");
                  } catch (StoreException e) {
                    // As expected.
                  } finally {
                    done.countDown();
                  }
                })
            .start();
      }
      done.await();
      away.set(false);
      // Withdrawn, or uncertain because its lease ended first.
      for (int i = 0; i < calls; i++) {
        Key key = new Key("acme", "out", "k" + i);
        while (store.find(key).orElseThrow().state() == State.IN_PROGRESS) {
          sleep(10);
        }
        assertThat(store.find(key).orElseThrow().state()).isEqualTo(State.OPEN);
      }
    }
  }

  /** A reconciliation without an answer is withdrawn after an operator has opened the key. */
  @Test
  void leavesAKeyOpenThatAnOperatorOpened() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    Store store =
        new Store() {
          @Override
          public Claim claim(ClaimRequest request) {
            if (away.get() && request.reconciling()) {
              throw new StoreException("no answer", null);
            }
            return super.claim(request);
          }
        };
    Terms terms = Terms.DEFAULT.withLease(Duration.ofSeconds(5)).withRecovery(Recovery.ASK);
    Request<@Nullable String> request =
        Request.of(new Key("acme", "op", "k"), Codec.text())
            .withTerms(terms)
            .withReconciler(execution -> EffectState.unknown());
    try (Once once = Once.over(store)) {
      try {
        once.run(
            request,
            execution -> {
              throw new IllegalStateException("timed out");
            });
      } catch (IllegalStateException e) {
        // Uncertain now.
      }
      away.set(true);
      try {
        once.run(request, execution -> "never");
      } catch (StoreException e) {
        // No answer: withdrawn in 250 ms.
      }
      assertThat(store.records.reopen(request.key())).isTrue();
      assertThat(store.find(request.key()).orElseThrow().state()).isEqualTo(State.OPEN);
      sleep(700);
      assertThat(store.find(request.key()).orElseThrow().state()).isEqualTo(State.OPEN);
    }
  }

  /**
   * The trap: the timer's thread cannot start, and the task stays in its queue and renews for an
   * hour.
   */
  @Test
  void givesAGrantBackWhoseHeartbeatDidNotStart() throws Exception {
    AtomicInteger renewals = new AtomicInteger();
    Store store =
        new Store() {
          @Override
          public void renew(Claim.Granted grant, Duration lease) {
            if (grant.key().value().equals("first")) {
              renewals.incrementAndGet();
            }
            super.renew(grant, lease);
          }
        };
    EngineEventPublisher publisher = new EngineEventPublisher(e -> {});
    Heartbeat heartbeat = new Heartbeat(store, publisher, Duration.ZERO);
    var field = Heartbeat.class.getDeclaredField("timer");
    field.setAccessible(true);
    ScheduledThreadPoolExecutor timer = (ScheduledThreadPoolExecutor) field.get(heartbeat);
    var factory = timer.getThreadFactory();
    timer.setThreadFactory(
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        });
    LeasedRunner runner =
        new LeasedRunner(
            store, heartbeat, publisher, new GuardedCache(dev.once.spi.OutcomeCache.NONE));
    Terms terms = Terms.DEFAULT.withLease(Duration.ofMillis(200));
    Request<@Nullable String> first =
        Request.of(new Key("acme", "t", "first"), Codec.text()).withTerms(terms);
    Request<@Nullable String> second =
        Request.of(new Key("acme", "t", "second"), Codec.text()).withTerms(terms);
    try {
      runner.execute(
          (Claim.Granted) store.claim(first.toClaim()),
          System.nanoTime(),
          first,
          execution -> "never");
    } catch (OutOfMemoryError e) {
      // Nothing runs under this grant.
    }
    timer.setThreadFactory(factory);
    runner.execute(
        (Claim.Granted) store.claim(second.toClaim()),
        System.nanoTime(),
        second,
        execution -> "fine");
    sleep(1500);
    Claim again = store.claim(first.toClaim());
    heartbeat.close();
    assertThat(again).isInstanceOf(Claim.Granted.class);
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
