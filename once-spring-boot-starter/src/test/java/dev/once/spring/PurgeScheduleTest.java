package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the purge runs, and how much it removes. */
class PurgeScheduleTest {
  private static final PurgeProperties OFTEN =
      new PurgeProperties(true, Duration.ofMillis(20), 10, 3);

  private final Semaphore runs = new Semaphore(0);
  private LogLines log;

  @BeforeEach
  void listen() {
    log = LogLines.of(PurgeSchedule.class);
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void stopsAtABatchThatIsNotFull() throws Exception {
    AtomicInteger batches = new AtomicInteger();
    runOnce(purge -> batches.incrementAndGet() == 2 ? 4 : purge.limit());

    assertThat(batches).hasValue(2);
    assertThat(log.lines()).containsExactly("INFO purged 14 expired records");
  }

  // A10, E7
  @Test
  void sendsNoMoreBatchesThanItMay() throws Exception {
    AtomicInteger batches = new AtomicInteger();
    runOnce(
        purge -> {
          batches.incrementAndGet();
          return purge.limit();
        });

    assertThat(batches).hasValue(3);
    assertThat(log.lines()).containsExactly("INFO purged 30 expired records");
  }

  @Test
  void saysNothingAboutNothing() throws Exception {
    runOnce(purge -> 0);

    assertThat(log.lines()).isEmpty();
  }

  @Test
  void goesOnAfterAFailure() throws Exception {
    AtomicInteger batches = new AtomicInteger();
    PurgeSchedule schedule =
        schedule(
            OFTEN,
            purge -> {
              if (batches.incrementAndGet() == 1) {
                throw new StoreException("purge failed: connection refused", null);
              }
              return 1;
            });
    schedule.start();
    awaitRuns(2);
    schedule.stop();

    assertThat(log.lines().get(0))
        .startsWith("WARN purge failed after 0 records, goes on next time:")
        .contains("connection refused");
    assertThat(log.lines()).contains("INFO purged 1 expired records");
  }

  @Test
  void stopsAtOnceWhileItPauses() {
    PurgeSchedule schedule =
        schedule(new PurgeProperties(true, Duration.ofDays(30), 10, 3), purge -> 0);
    schedule.start();
    assertThat(schedule.isRunning()).isTrue();

    long before = System.nanoTime();
    schedule.stop();

    assertThat(System.nanoTime() - before).isLessThan(Duration.ofSeconds(1).toNanos());
    assertThat(schedule.isRunning()).isFalse();
  }

  @Test
  void doesNotWaitLongForABatchThatHangs() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    PurgeSchedule schedule =
        schedule(
            OFTEN,
            purge -> {
              hanging.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
              throw new StoreException("interrupted", null);
            });
    schedule.start();
    assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();

    schedule.stop();

    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    awaitRuns(1);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void runsAgainAfterARestart() throws Exception {
    PurgeSchedule schedule = schedule(OFTEN, purge -> 0);
    schedule.start();
    awaitRuns(1);
    schedule.stop();
    runs.drainPermits();

    schedule.start();

    awaitRuns(1);
    schedule.stop();
  }

  @Test
  void keepsNodesOutOfStep() {
    Duration hour = Duration.ofHours(1);
    PurgeInterval one = new PurgeInterval(hour, new SplittableRandom(1));
    PurgeInterval other = new PurgeInterval(hour, new SplittableRandom(2));

    assertThat(one.first()).isNotEqualTo(other.first()).isLessThan(PurgeInterval.LONGEST_FIRST);
    for (int i = 0; i < 1000; i++) {
      Duration pause = one.next();
      assertThat(pause).isBetween(Duration.ofMinutes(54), Duration.ofMinutes(66));
      assertThat(pause).isNotEqualTo(other.next());
    }
  }

  /** The second run would come an hour later. */
  private void runOnce(ToIntFunction<Purge> purge) throws Exception {
    PurgeProperties settings = new PurgeProperties(true, Duration.ofHours(1), 10, 3);
    PurgeSchedule schedule =
        new PurgeSchedule(
            store(purge),
            settings,
            new PurgeInterval(settings.every(), () -> 0), // Zero is the shortest first pause.
            List.of(runs::release));
    schedule.start();
    awaitRuns(1);
    schedule.stop();
  }

  private PurgeSchedule schedule(PurgeProperties settings, ToIntFunction<Purge> purge) {
    PurgeInterval interval = new PurgeInterval(settings.every(), new SplittableRandom());
    return new PurgeSchedule(store(purge), settings, interval, List.of(runs::release));
  }

  private void awaitRuns(int count) throws InterruptedException {
    assertThat(runs.tryAcquire(count, 10, TimeUnit.SECONDS)).isTrue();
  }

  /** A store with this purge. */
  private static RecordAdmin store(ToIntFunction<Purge> purge) {
    return new RecordAdmin() {
      @Override
      public boolean reopen(Key key) {
        throw new AssertionError("a purge reopens nothing");
      }

      @Override
      public boolean expire(Key key) {
        throw new AssertionError("a purge expires nothing");
      }

      @Override
      public int purge(Purge step) {
        return purge.applyAsInt(step);
      }
    };
  }
}
