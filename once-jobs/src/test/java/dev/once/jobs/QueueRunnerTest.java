package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueueRunnerTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("queue_runner");

  private final JobStatements statements = new JobStatements(DATABASE);
  private final QueueRunner runner = statements.runner("mail");

  @Test
  void aJobThatFindsNoMemoryIsNotHeldForEver() {
    DATABASE.jobs().enqueue(TestJobs.job("mine"));
    JobLease jobLease = statements.leaseOf(statements.claimOne("mail"));

    assertThatThrownBy(() -> runner.hold(new Exhausting(List.of(jobLease))))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(runner.leases()).isEmpty();
  }

  /** Leases that find no memory in the buffer, which copies them all at once. */
  private static final class Exhausting extends AbstractList<JobLease> {
    private final List<JobLease> leases;

    Exhausting(List<JobLease> leases) {
      this.leases = leases;
    }

    @Override
    public JobLease get(int index) {
      return leases.get(index);
    }

    @Override
    public int size() {
      return leases.size();
    }

    @Override
    public void forEach(Consumer<? super JobLease> action) {
      throw new OutOfMemoryError("simulated");
    }
  }
}
