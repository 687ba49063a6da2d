package dev.once.spring;

/** Something to do on the purge's thread after each run, whether it failed or not. */
@FunctionalInterface
interface AfterPurge {
  /** Must not throw. */
  void afterPurge();
}
