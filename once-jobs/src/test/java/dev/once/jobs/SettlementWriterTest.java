package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SettlementWriterTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("settle");

  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aJobWhoseSettlementCouldNotBeQueuedLosesItsLease() {
    DATABASE.jobs().enqueue(TestJobs.job("1"));
    JobLease jobLease = statements.leaseOf(statements.claimOne("mail"));
    SettlementWriter writer = statements.settlementWriter(new FullQueue());

    assertThatThrownBy(() -> writer.add(new Settlement.Done(jobLease, Duration.ZERO)))
        .isInstanceOf(OutOfMemoryError.class);

    // Settled, it would never be lost, and its job would stay running.
    assertThat(jobLease.isSettled()).isFalse();
    assertThat(jobLease.lose()).isTrue();
  }

  /** Has no memory for another element. */
  private static final class FullQueue extends LinkedBlockingQueue<Settlement> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean add(Settlement settlement) {
      throw new OutOfMemoryError("not really");
    }
  }
}
