package dev.once.jobs;

import dev.once.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** One try of a job, as its handler sees it. */
public final class JobRun {
  private final JobLease jobLease;

  JobRun(JobLease jobLease) {
    this.jobLease = jobLease;
  }

  public long id() {
    return jobLease.job().id();
  }

  /** The same in every try. Pass it to whatever you call that knows idempotency keys. */
  public JobKey key() {
    return jobLease.job().key();
  }

  /** 1 for the first try, 2 for the second, and so on. */
  public int attempt() {
    return jobLease.job().attempt();
  }

  /**
   * Rises with every run of this job, also with those that are not counted as tries, and is higher
   * than that of any earlier job that had the same key. Put it in your own {@code WHERE fence < ?},
   * or pass it downstream, and a worker that was paused too long can no longer overwrite its
   * successor.
   */
  public long fence() {
    return jobLease.job().fence();
  }

  /** The bytes that were enqueued, shared, not copied: do not change them. */
  public byte[] payload() {
    return jobLease.job().payload().toArray();
  }

  /** The same as UTF-8. */
  public String text() {
    return new String(payload(), StandardCharsets.UTF_8);
  }

  /** The ids that the job was enqueued with. */
  public Headers correlation() {
    return jobLease.job().correlation();
  }

  public Instant enqueuedAt() {
    return jobLease.job().enqueuedAt();
  }

  /**
   * Whether the job is known to be somebody else's by now. A handler that is about to do something
   * it cannot take back looks here first; it is also interrupted.
   */
  public boolean leaseLost() {
    return jobLease.isLost() || jobLease.isOver();
  }

  @Override
  public String toString() {
    return "JobRun[" + id() + ", " + key() + ", try " + attempt() + ", fence " + fence() + "]";
  }
}
