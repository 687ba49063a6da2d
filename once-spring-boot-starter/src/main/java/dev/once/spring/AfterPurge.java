package dev.once.spring;

/** Runs on the thread of the purge after each of its runs, even after one that failed. */
@FunctionalInterface
interface AfterPurge {
  /** Must not throw. */
  void afterPurge();
}
