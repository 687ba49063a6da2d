package dev.once.jobs;

import dev.once.OnceException;

/** The key belongs to a job with another fingerprint. Nothing was enqueued. */
public final class JobMismatchException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient JobKey key;
  private final long id;

  JobMismatchException(JobKey key, long id) {
    super(
        key
            + " belongs to job "
            + id
            + " with another payload: put what differs (an id, a version) into its resource",
        null);
    this.key = key;
    this.id = id;
  }

  public JobKey key() {
    return key;
  }

  /** The job that has the key. */
  public long id() {
    return id;
  }
}
