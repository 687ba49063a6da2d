package dev.once.jobs;

/** The lease of one of the jobs was lost: its work must not be committed, or not even start. */
final class JobLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobLostException() {
    super("the lease of a job was lost", null, false, false);
  }
}
