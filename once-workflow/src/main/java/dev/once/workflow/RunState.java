package dev.once.workflow;

/** The states of a run. */
public enum RunState {
  /** Its code runs, or waits. */
  RUNNING("running"),
  /** It failed or was cancelled, and its compensations are not finished. */
  COMPENSATING("compensating"),
  COMPLETED("completed"),
  FAILED("failed"),
  CANCELLED("cancelled");

  private final String code;

  RunState(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }

  public boolean hasEnded() {
    return this != RUNNING && this != COMPENSATING;
  }

  static RunState of(String code) {
    for (RunState it : values()) {
      if (it.code.equals(code)) {
        return it;
      }
    }
    throw new IllegalArgumentException("unknown state of a run: " + code);
  }
}
