package dev.once.workflow;

/** Where a process ends that runs {@link CrashCode}. */
enum CrashPoint {
  NEVER,
  BEFORE_EFFECT,
  AFTER_EFFECT,
  AFTER_RECORD,
  BEFORE_ASKING_EFFECT,
  /** Between the entries that say that an effect began, and that it is done. */
  AFTER_ASKING_EFFECT,
  BEFORE_COMPENSATION,
  AFTER_COMPENSATION,
  BEFORE_BEGIN("once_workflow_begin"),
  AFTER_BEGIN("once_workflow_begin"),
  BEFORE_SUSPEND("once_workflow_suspend"),
  AFTER_SUSPEND("once_workflow_suspend"),
  BEFORE_SIGNAL("once_workflow_take_signal"),
  AFTER_SIGNAL("once_workflow_take_signal"),
  BEFORE_COMPENSATING("'compensating'"),
  AFTER_COMPENSATING("'compensating'"),
  BEFORE_END("once_workflow_end"),
  /** The job of the activation is not completed. */
  AFTER_END("once_workflow_end");

  private final String statement;

  CrashPoint() {
    this("");
  }

  CrashPoint(String statement) {
    this.statement = statement;
  }

  /** Returns a part of the statement before or after which the process ends; empty for none. */
  String statement() {
    return statement;
  }

  boolean isAfter() {
    return name().startsWith("AFTER");
  }
}
