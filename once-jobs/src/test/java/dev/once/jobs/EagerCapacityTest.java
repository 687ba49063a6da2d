package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EagerCapacityTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("eager_capacity");
  private static final long PLENTY = 1_000;

  private final AtomicLong now = new AtomicLong();
  private final EagerCapacity capacity = new EagerCapacity(now::get);
  private final QueueRunner runner = new JobStatements(DATABASE).runner("mail");

  @Test
  void hasNoneBeforeTheFirstClaim() {
    assertThat(reserve(8)).isEmpty();

    capacity.claimed(capacity.wakes(), false);

    assertThat(reserve(8)).isPresent();
  }

  @Test
  void hasNoneWhileThereIsABacklog() {
    capacity.claimed(capacity.wakes(), true);

    assertThat(reserve(8)).isEmpty();
  }

  @Test
  void leavesHalfOfThePlacesToTheClaimThatFollowsAWake() {
    capacity.claimed(capacity.wakes(), false);
    capacity.woken();

    assertThat(reserve(4)).isPresent();
    assertThat(reserve(4)).isPresent();
    assertThat(reserve(4)).isEmpty();
    capacity.claimed(capacity.wakes(), false);
    assertThat(reserve(4)).isPresent();
  }

  @Test
  void doesNotTakeAClaimThatWasSentBeforeAWakeForThatOne() {
    long before = capacity.wakes();
    capacity.woken();
    capacity.claimed(before, false);

    assertThat(reserve(2)).isPresent();
    assertThat(reserve(2)).isEmpty();
  }

  @Test
  void doesNotTrustAnOldClaim() {
    capacity.claimed(capacity.wakes(), false);
    elapse(Duration.ofMillis(2001));

    assertThat(reserve(8)).isEmpty();
  }

  @Test
  void hasAsManyAsAreFree() {
    capacity.claimed(capacity.wakes(), false);

    assertThat(reserve(2)).isPresent();
    EagerReservation second = reserve(2).orElseThrow();
    assertThat(reserve(2)).isEmpty();
    capacity.release(second);
    capacity.release(second);
    assertThat(reserve(2)).isPresent();
    assertThat(reserve(2)).isEmpty();
  }

  @Test
  void forgetsReservationsOfTransactionsThatWereRolledBack() {
    capacity.claimed(capacity.wakes(), false);
    EagerReservation old = reserve(1).orElseThrow();
    elapse(Duration.ofMillis(1001));
    assertThat(reserve(1)).isPresent();

    capacity.release(old);

    assertThat(reserve(1)).as("the newer one still counts").isEmpty();
  }

  @Test
  void countsBytes() {
    capacity.claimed(capacity.wakes(), false);

    assertThat(capacity.reserve(runner, 8, 0, PLENTY, 600)).isPresent();
    assertThat(capacity.reserve(runner, 8, 0, PLENTY, 600)).isEmpty();
    assertThat(capacity.reserve(runner, 8, 0, PLENTY, 400)).isPresent();
  }

  private Optional<EagerReservation> reserve(int places) {
    return capacity.reserve(runner, places, 0, PLENTY, 0);
  }

  private void elapse(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
