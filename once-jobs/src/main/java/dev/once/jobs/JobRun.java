package dev.once.jobs;

import dev.once.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;

/** One run of a job, as its handler sees it. */
public final class JobRun {
  private final JobLease jobLease;
  private final byte[] payload;

  JobRun(JobLease jobLease, byte[] payload) {
    this.jobLease = jobLease;
    this.payload = payload;
  }

  public long id() {
    return jobLease.job().id();
  }

  /**
   * Returns the same key in every run. Pass it to every called service that supports idempotency
   * keys.
   */
  public JobKey key() {
    return jobLease.job().key();
  }

  /** Returns 1 for the first attempt, 2 for the second, and so on. */
  public int attempt() {
    return jobLease.job().attempt();
  }

  /**
   * Returns a number that increases with every run of this job, also with runs that do not count as
   * attempts, and is higher than that of any earlier job that had the same key. Put it in your own
   * {@code WHERE fence < ?}, or pass it downstream, and a worker that was paused past its lease can
   * no longer overwrite a later owner.
   */
  public long fence() {
    return jobLease.job().fence();
  }

  /** Returns the bytes that were enqueued, shared, not copied: do not change them. */
  public byte[] payload() {
    return payload;
  }

  /** Returns the payload as text, from UTF-8. */
  public String text() {
    return new String(payload(), StandardCharsets.UTF_8);
  }

  /** Returns the ids that the job was enqueued with. */
  public Headers correlation() {
    return jobLease.job().correlation();
  }

  /** Returns the batch that the job is a member of: {@link JobBatches#add} adds to it. */
  public OptionalLong batch() {
    return jobLease.job().batch();
  }

  public Instant enqueuedAt() {
    return jobLease.job().enqueuedAt();
  }

  /**
   * Returns whether the lease is known to be lost. A handler that is about to do something
   * irreversible checks this first; it is also interrupted.
   */
  public boolean leaseLost() {
    return jobLease.isLost() || jobLease.isOver();
  }

  @Override
  public String toString() {
    return "JobRun[" + id() + ", " + key() + ", attempt " + attempt() + ", fence " + fence() + "]";
  }
}
