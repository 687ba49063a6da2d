package dev.once.jobs;

/** What a run that did not complete its job was. */
enum RunKind {
  /** The handler did not begin: nothing can have happened. */
  NOT_BEGUN,
  /** The handler may have begun; the run is no attempt. */
  UNCOUNTED,
  /** An attempt. */
  COUNTED
}
