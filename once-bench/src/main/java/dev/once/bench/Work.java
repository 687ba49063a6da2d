package dev.once.bench;

/** The call that callers repeat while they are measured. Thread-safe. */
@FunctionalInterface
interface Work {
  void perform() throws Exception;
}
