package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that is no longer the newest owner of a job changes nothing. */
class FenceTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("fence");
  private static final Duration LEASE = Queue.named("mail").lease();

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @BeforeEach
  void oneJob() {
    jobs.enqueue(TestJobs.job("user-42"));
  }

  @Test
  void aJobWhoseLeaseRanOutBecomesReadyAndItsFenceRises() {
    ClaimedJob first = statements.claimOne("mail");
    DATABASE.elapse(LEASE);

    assertThat(statements.makeReady().rescued()).isEqualTo(1);

    ClaimedJob second = statements.claimOne("mail");
    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(second.attempt()).as("its handler never began").isEqualTo(1);
    assertThat(second.isSuspect()).isTrue();
  }

  @Test
  void aKeyThatIsEnqueuedAgainAfterItWasForgottenHasAHigherFence() {
    ClaimedJob first = statements.claimOne("mail");
    statements.finish(first);
    DATABASE.execute("TRUNCATE once_job_done");
    jobs.enqueue(TestJobs.job("user-42"));

    assertThat(statements.claimOne("mail").fence()).isGreaterThan(first.fence());
  }

  @Test
  void aJobWhoseLeaseRunsIsNotRescued() {
    statements.claimOne("mail");

    assertThat(statements.makeReady().rescued()).isZero();
    assertThat(statements.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void aRenewedJobIsNotRescued() {
    ClaimedJob claimed = statements.claimOne("mail");
    DATABASE.elapse(LEASE.minusSeconds(5));

    assertThat(statements.renew(claimed).renewed()).containsExactly(claimed.id());
    DATABASE.elapse(LEASE.minusSeconds(5));

    assertThat(statements.makeReady().rescued()).isZero();
  }

  @Test
  void anOldOwnerCannotFinish() {
    ClaimedJob old = loseTo();

    assertThat(statements.finish(old)).isFalse();
    assertThat(statements.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotPutBack() {
    ClaimedJob old = loseTo();

    assertThat(statements.reschedule(old, Duration.ZERO, RunKind.COUNTED)).isFalse();
    assertThat(statements.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotBury() {
    ClaimedJob old = loseTo();

    assertThat(statements.deadLetter(old)).isFalse();
    assertThat(statements.states()).containsExactly("welcome:user-42 running");
  }

  @Test
  void anOldOwnerCannotRenewAndIsNotified() {
    ClaimedJob old = loseTo();

    RenewStatement.RenewResult answer = statements.renew(old);

    assertThat(answer.renewed()).isEmpty();
    assertThat(answer.held()).isEmpty();
  }

  @Test
  void anOwnerThatWasRescuedCanDoNothingEvenBeforeTheNextOne() {
    ClaimedJob old = statements.claimOne("mail");
    DATABASE.elapse(LEASE);
    statements.makeReady();

    assertThat(statements.finish(old)).isFalse();
    assertThat(statements.reschedule(old, Duration.ZERO, RunKind.COUNTED)).isFalse();
    assertThat(statements.deadLetter(old)).isFalse();
    assertThat(statements.states()).containsExactly("welcome:user-42 ready");
  }

  @Test
  void anOwnerWithALapsedLeaseMayFinishWithoutATakeOver() {
    ClaimedJob claimed = statements.claimOne("mail");
    DATABASE.elapse(LEASE);

    assertThat(statements.finish(claimed)).isTrue();
    assertThat(statements.makeReady().rescued()).isZero();
  }

  @Test
  void aJobThatIsBeingFinishedIsNeitherRescuedNorLost() throws SQLException {
    ClaimedJob claimed = statements.claimOne("mail");
    DATABASE.elapse(LEASE);
    try (Connection handler = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      CompleteStatement.execute(handler, List.of(claimed), JobStatements.RETENTION);

      assertThat(statements.makeReady().rescued()).isZero();
      RenewStatement.RenewResult answer = statements.renew(claimed);
      assertThat(answer.renewed()).isEmpty();
      assertThat(answer.held()).containsExactly(claimed.id());
      handler.commit();
    }
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aRunThatIsNotCountedLeavesTheTriesAndRaisesTheFence() {
    ClaimedJob first = statements.claimOne("mail");
    statements.reschedule(first, Duration.ZERO, RunKind.UNCOUNTED);

    ClaimedJob second = statements.claimOne("mail");

    assertThat(second.attempt()).isEqualTo(1);
    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  /** Claims the job, expires its lease and claims it again; returns the first claim. */
  private ClaimedJob loseTo() {
    ClaimedJob old = statements.claimOne("mail");
    DATABASE.elapse(LEASE);
    statements.makeReady();
    statements.claimOne("mail");
    return old;
  }
}
