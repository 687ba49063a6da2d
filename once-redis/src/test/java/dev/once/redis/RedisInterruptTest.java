package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts at random moments of a call, on both kinds of threads. */
@Timeout(60)
class RedisInterruptTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "interrupt");
  private static final int CALLS = 250;
  private static final int MAX_DELAY_NANOS = 600_000;
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Outcome OUTCOME = Outcome.completed(Payload.of(new byte[] {1, 2, 3}));

  private final RedisRecordStore store = STORES.store();

  @AfterAll
  static void close() {
    STORES.close();
  }

  @Test
  void answersAPlatformThreadThatIsInterrupted() throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();

    new Thread(() -> claimAndComplete(done)).start();

    assertThat(done.get(50, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersAVirtualThreadThatIsInterrupted() throws Exception {
    Assumptions.assumeTrue(Runtime.version().feature() >= 21, "there are no virtual threads");
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Runnable calls = () -> claimAndComplete(done);

    start.invoke(null, calls);

    assertThat(done.get(50, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void findsAndForgetsInACacheAlthoughItsCallerIsInterrupted() {
    Key key = new Key("acme", "orders", UUID.randomUUID().toString());
    Claim.Replay replay = new Claim.Replay(OUTCOME, Headers.NONE);
    RedisURI uri = RedisURI.create(TestRedis.shared().uri());
    try (RedisCache cache = RedisCache.connect(uri, "interrupt")) {
      cache.keep(key, Fingerprint.NONE, replay, () -> RETENTION);
      Polling.until(() -> cache.find(key, Fingerprint.NONE).isPresent());

      Thread.currentThread().interrupt();
      assertThat(cache.find(key, Fingerprint.NONE)).contains(replay);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      cache.forget(key);
      assertThat(Thread.interrupted()).isTrue();

      assertThat(cache.find(key, Fingerprint.NONE)).isEmpty();
    }
  }

  private void claimAndComplete(CompletableFuture<Boolean> done) {
    Storm storm = new Storm(Thread.currentThread());
    try {
      for (int i = 0; i < CALLS; i++) {
        claimAndComplete(storm);
      }
      done.complete(true);
    } catch (Throwable e) {
      done.completeExceptionally(e);
    } finally {
      storm.thread.interrupt();
    }
  }

  private void claimAndComplete(Storm storm) {
    ClaimRequest request =
        ClaimRequest.of(
                new Key("acme", "orders", UUID.randomUUID().toString()),
                Duration.ofSeconds(30),
                RETENTION)
            .withRecovery(Recovery.ASK);
    storm.begin();
    Claim claim = store.claim(request);
    storm.assertInterrupted();
    assertThat(claim).isInstanceOf(Claim.Granted.class);

    storm.begin();
    store.complete((Claim.Granted) claim, OUTCOME, RETENTION);
    storm.assertInterrupted();

    storm.begin();
    Claim again = store.claim(request);
    storm.assertInterrupted();
    assertThat(again).isEqualTo(new Claim.Replay(OUTCOME, Headers.NONE));
  }

  /** Interrupts one thread once in each of its calls, or right after it. */
  private static final class Storm {
    private final SynchronousQueue<Boolean> begun = new SynchronousQueue<>();
    private final SplittableRandom random = new SplittableRandom(42);
    private final Thread target;
    private final Thread thread = new Thread(this::interruptAll);
    private final AtomicInteger interrupts = new AtomicInteger();
    private int calls;

    Storm(Thread target) {
      this.target = target;
      thread.setDaemon(true);
      thread.start();
    }

    void begin() {
      calls++;
      try {
        begun.put(true);
      } catch (InterruptedException e) {
        throw new AssertionError("an interrupt of an earlier call was kept back", e);
      }
    }

    /** Asserts that the interrupt, which was sent by now, is restored. */
    void assertInterrupted() {
      while (interrupts.get() < calls) {
        Thread.onSpinWait();
      }
      assertThat(Thread.interrupted()).as("interrupted in call %d", calls).isTrue();
    }

    private void interruptAll() {
      try {
        while (begun.take()) {
          long until = System.nanoTime() + random.nextInt(MAX_DELAY_NANOS);
          while (System.nanoTime() < until) {
            LockSupport.parkNanos(1_000);
          }
          target.interrupt();
          interrupts.incrementAndGet();
        }
      } catch (InterruptedException e) {
        // The last call was made.
      }
    }
  }
}
