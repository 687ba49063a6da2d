package dev.once.jobs;

/**
 * A claimed job whose row this release cannot read: it was changed by hand, damaged, or written by
 * another release.
 */
record UnreadableJob(long id, long fence, Exception cause) {
  /** Returns why, as stored with the job: the message of the exception may quote private data. */
  String reason() {
    return "its row cannot be read by this release: " + cause.getClass().getSimpleName();
  }
}
