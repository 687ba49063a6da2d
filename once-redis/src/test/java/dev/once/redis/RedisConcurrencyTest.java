package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.TestRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many owners work on a few keys with leases and retentions of milliseconds: they complete,
 * release, act too late and disappear, on two nodes. Each logs when it got its key and until when,
 * at the least, no other owner may get it.
 */
@Tag("any-jdk")
@Timeout(60)
class RedisConcurrencyTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "concurrency");
  private static final int OWNERS = 8;
  private static final int KEYS = 3;

  /** The long form is a matter of minutes: {@code -Donce.history.seconds=300}. */
  private static final int SECONDS = Integer.getInteger("once.history.seconds", 3);

  private final Queue<Ownership> history = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();

  /** A grant, and the times of this JVM between which no other owner could get the key. */
  private record Ownership(String key, long fence, long fromNanos, long untilNanos) {}

  @AfterAll
  static void close() {
    STORES.close();
  }

  @Test
  void grantsNothingThatIsOwnedOrDone() throws Exception {
    List<Thread> owners = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      RedisRecordStore store = i % 2 == 0 ? STORES.store() : STORES.otherStore();
      SplittableRandom random = new SplittableRandom(i);
      owners.add(new Thread(() -> work(store, random)));
    }
    owners.forEach(it -> it.setUncaughtExceptionHandler((thread, e) -> surprises.add(e)));
    owners.forEach(Thread::start);
    for (Thread owner : owners) {
      owner.join();
    }

    assertThat(surprises).isEmpty();
    assertThat(history).hasSizeGreaterThan(100);
    for (int i = 0; i < KEYS; i++) {
      assertInTurn("key-" + i);
    }
  }

  private void assertInTurn(String key) {
    List<Ownership> turns =
        history.stream()
            .filter(it -> it.key.equals(key))
            .sorted(Comparator.comparingLong(Ownership::fence))
            .toList();
    for (int i = 1; i < turns.size(); i++) {
      Ownership before = turns.get(i - 1);
      Ownership next = turns.get(i);
      assertThat(next.fence).isGreaterThan(before.fence);
      assertThat(next.fromNanos - before.untilNanos)
          .as("time between fences %d and %d", before.fence, next.fence)
          .isNotNegative();
    }
  }

  private void work(RedisRecordStore store, SplittableRandom random) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      ClaimRequest request = anyRequest(random);
      long sent = System.nanoTime();
      if (store.claim(request) instanceof Claim.Granted grant) {
        long received = System.nanoTime();
        long until = sent + request.lease().toNanos();
        if (random.nextInt(4) == 0) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)));
        }
        until = finish(store, request, grant, until, random.nextInt(4));
        history.add(new Ownership(grant.key().value(), grant.fence(), received, until));
      }
    }
  }

  /** Ends a grant in one of several ways, and returns until when no other owner may get the key. */
  private static long finish(
      RedisRecordStore store, ClaimRequest request, Claim.Granted grant, long until, int way) {
    long now = System.nanoTime();
    try {
      switch (way) {
        case 0 -> {
          return until;
        }
        case 1 -> {
          store.release(grant);
          return Math.min(now, until);
        }
        default -> {
          store.complete(grant, outcomeOf(grant), request.retention());
          return now + request.retention().toNanos();
        }
      }
    } catch (LeaseLostException late) {
      return until;
    }
  }

  private static ClaimRequest anyRequest(SplittableRandom random) {
    return ClaimRequest.of(
            new Key("acme", "orders", "key-" + random.nextInt(KEYS)),
            Duration.ofMillis(10 + random.nextInt(40)),
            Duration.ofMillis(10 + random.nextInt(40)))
        .withMaxAttempts(1000);
  }

  private static Outcome outcomeOf(Claim.Granted grant) {
    byte[] text = ("by fence " + grant.fence()).getBytes(StandardCharsets.UTF_8);
    return Outcome.completed(Payload.of(text));
  }
}
