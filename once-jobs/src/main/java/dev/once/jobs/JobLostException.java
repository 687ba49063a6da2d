package dev.once.jobs;

/** Somebody else has one of the jobs: what was done for it must not count, or not even begin. */
final class JobLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobLostException() {
    super("a job is no longer ours", null, false, false);
  }
}
