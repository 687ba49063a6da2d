package dev.once.jobs;

import java.util.Locale;

/** The kinds of jobs in the chaos. Each has a handler of its own in {@link ChaosHandlers}. */
enum ChaosKind {
  PLAIN("alone"),
  FLAKY("alone"),
  /** Takes longer than a lease. */
  SLOW("alone"),
  /** Is given up by its handler. */
  DOOMED("alone"),
  /** Enqueues a child in its own transaction. */
  PARENT("alone"),
  CHILD("alone"),
  /** Shares its transaction with others. */
  SHARED("together"),
  SHARED_FLAKY("together"),
  /** One after the other within its aggregate. */
  STEP("ordered"),
  DOOMED_STEP("ordered"),
  /** Has its effect outside the database. */
  CALL("engine"),
  FLAKY_CALL("engine"),
  SLOW_CALL("engine");

  private final String queue;

  ChaosKind(String queue) {
    this.queue = queue;
  }

  String queue() {
    return queue;
  }

  String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  Job job(String tenant, String resource) {
    return Job.of(new JobKey(tenant, queue, type(), resource)).withText(resource);
  }

  boolean isExternal() {
    return queue.equals("engine");
  }

  boolean isShared() {
    return queue.equals("together");
  }

  boolean isDoomed() {
    return this == DOOMED || this == DOOMED_STEP;
  }

  boolean isSlow() {
    return this == SLOW || this == SLOW_CALL;
  }

  boolean isFlaky() {
    return this == FLAKY || this == SHARED_FLAKY || this == FLAKY_CALL || this == STEP;
  }
}
