package dev.once.bench;

/** What callers do again and again while they are measured. Thread-safe. */
@FunctionalInterface
interface Work {
  void perform() throws Exception;
}
