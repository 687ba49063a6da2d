package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimCursorTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("horizon");
  private static final Queue MAIL = Queue.named("mail");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicLong now = new AtomicLong();
  private final ClaimCursor cursor = new ClaimCursor(now::get);

  @BeforeEach
  void enqueue() {
    jobs.enqueueAll(
        IntStream.range(10, 30)
            .mapToObj(i -> Job.of(new JobKey("acme", "mail", "welcome", Integer.toString(i))))
            .toList());
  }

  @Test
  void looksAtEverythingFirst() {
    assertThat(cursor.from()).isZero();
  }

  @Test
  void goesOnWhereTheLastRoundBeganWhileThereIsPlenty() {
    List<ClaimedJob> claimed = statements.claim(MAIL, 5);

    assertThat(claimed(claimed, 5)).isFalse();
    assertThat(claimed(claimed, 5)).isFalse();
    assertThat(cursor.from()).isEqualTo(claimed.get(0).id());
    assertThat(JobStatements.resources(statements.claimFrom(MAIL, cursor.from(), 3)))
        .containsExactly("15", "16", "17");
  }

  @Test
  void readsAllJobsUntilARotationHasEnded() {
    jobs.enqueueAll(
        IntStream.range(0, 8)
            .mapToObj(i -> Job.of(new JobKey("tenant-" + i, "mail", "welcome", "1")))
            .toList());

    cursor.claimed("acme", statements.claim(MAIL, "acme", 4), 4);
    cursor.claimed("tenant-3", statements.claim(MAIL, "tenant-3", 4), 4);
    cursor.claimed("tenant-7", statements.claim(MAIL, "tenant-7", 4), 4);

    assertThat(cursor.from()).isZero();
  }

  @Test
  void looksFurtherBackWhenThereIsNotEnough() {
    List<ClaimedJob> first = statements.claim(MAIL, 20);
    claimed(first, 20);
    claimed(first, 20);
    statements.reschedule(first.get(3), Duration.ZERO, RunKind.COUNTED);

    assertThat(claimed(List.of(), 5)).isTrue();
    assertThat(cursor.from()).isZero();
    assertThat(JobStatements.resources(statements.claimFrom(MAIL, cursor.from(), 5)))
        .containsExactly("13");
  }

  @Test
  void isDoneWhenThereIsNotEnoughInAll() {
    assertThat(claimed(statements.claim(MAIL, 50), 50)).isFalse();
  }

  @Test
  void looksBackOnceInAWhileEvenIfThereIsPlenty() {
    claimed(statements.claim(MAIL, 5), 5);
    claimed(statements.claim(MAIL, 5), 5);
    assertThat(cursor.from()).isPositive();

    now.addAndGet(Duration.ofSeconds(2).toNanos());

    assertThat(cursor.from()).isZero();
  }

  /** With a single tenant, every claim ends a rotation. */
  private boolean claimed(List<ClaimedJob> jobs, int wanted) {
    return cursor.claimed("acme", jobs, wanted);
  }
}
