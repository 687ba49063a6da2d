package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that is no longer the newest owner of a job changes nothing. */
class FenceTest {
  private static final JobDatabase DATABASE = new JobDatabase("fence");
  private static final Duration LEASE = Queue.named("mail").lease();

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void oneJob() {
    desk.empty();
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "welcome", "user-42")));
  }

  @Test
  void aJobWhoseLeaseRanOutBecomesReadyAndItsFenceRises() {
    ClaimedJob first = desk.claimOne("mail");
    DATABASE.elapse(LEASE);

    assertThat(desk.makeReady().rescued()).isEqualTo(1);

    ClaimedJob second = desk.claimOne("mail");
    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(second.attempt()).isEqualTo(2);
  }

  @Test
  void aKeyThatIsEnqueuedAgainAfterItWasForgottenHasAHigherFence() {
    ClaimedJob first = desk.claimOne("mail");
    desk.finish(first);
    DATABASE.execute("TRUNCATE once_job_done");
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "welcome", "user-42")));

    assertThat(desk.claimOne("mail").fence()).isGreaterThan(first.fence());
  }

  @Test
  void aJobWhoseLeaseRunsIsNotRescued() {
    desk.claimOne("mail");

    assertThat(desk.makeReady().rescued()).isZero();
    assertThat(desk.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void aRenewedJobIsNotRescued() {
    ClaimedJob claimed = desk.claimOne("mail");
    DATABASE.elapse(LEASE.minusSeconds(5));

    assertThat(desk.renew(claimed).renewed()).containsExactly(claimed.id());
    DATABASE.elapse(LEASE.minusSeconds(5));

    assertThat(desk.makeReady().rescued()).isZero();
  }

  @Test
  void anOldOwnerCannotFinish() {
    ClaimedJob old = loseTo();

    assertThat(desk.finish(old)).isFalse();
    assertThat(desk.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotPutBack() {
    ClaimedJob old = loseTo();

    assertThat(desk.reschedule(old, Duration.ZERO, true)).isFalse();
    assertThat(desk.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotBury() {
    ClaimedJob old = loseTo();

    assertThat(desk.deadLetter(old)).isFalse();
    assertThat(desk.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotRenewAndIsNotified() {
    ClaimedJob old = loseTo();

    RenewStatement.RenewResult answer = desk.renew(old);

    assertThat(answer.renewed()).isEmpty();
    assertThat(answer.held()).isEmpty();
  }

  @Test
  void anOwnerThatWasRescuedCanDoNothingEvenBeforeTheNextOne() {
    ClaimedJob old = desk.claimOne("mail");
    DATABASE.elapse(LEASE);
    desk.makeReady();

    assertThat(desk.finish(old)).isFalse();
    assertThat(desk.reschedule(old, Duration.ZERO, true)).isFalse();
    assertThat(desk.deadLetter(old)).isFalse();
    assertThat(desk.states()).containsExactly("welcome:user-42 ready");
  }

  @Test
  void anOwnerWithALapsedLeaseMayFinishWithoutATakeOver() {
    ClaimedJob claimed = desk.claimOne("mail");
    DATABASE.elapse(LEASE);

    assertThat(desk.finish(claimed)).isTrue();
    assertThat(desk.makeReady().rescued()).isZero();
  }

  @Test
  void aJobThatIsBeingFinishedIsNeitherRescuedNorLost() throws SQLException {
    ClaimedJob claimed = desk.claimOne("mail");
    DATABASE.elapse(LEASE);
    try (Connection handler = DATABASE.dataSource().getConnection()) {
      handler.setAutoCommit(false);
      CompleteStatement.execute(handler, List.of(claimed), JobStatements.RETENTION);

      assertThat(desk.makeReady().rescued()).isZero();
      RenewStatement.RenewResult answer = desk.renew(claimed);
      assertThat(answer.renewed()).isEmpty();
      assertThat(answer.held()).containsExactly(claimed.id());
      handler.commit();
    }
    assertThat(desk.states()).isEmpty();
  }

  @Test
  void aRunThatIsNotCountedLeavesTheTriesAndRaisesTheFence() {
    ClaimedJob first = desk.claimOne("mail");
    desk.reschedule(first, Duration.ZERO, false);

    ClaimedJob second = desk.claimOne("mail");

    assertThat(second.attempt()).isEqualTo(1);
    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  /** Claims the job, expires its lease and claims it again; returns the first claim. */
  private ClaimedJob loseTo() {
    ClaimedJob old = desk.claimOne("mail");
    DATABASE.elapse(LEASE);
    desk.makeReady();
    desk.claimOne("mail");
    return old;
  }
}
