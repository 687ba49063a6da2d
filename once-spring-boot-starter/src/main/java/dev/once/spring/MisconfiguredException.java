package dev.once.spring;

/** The application cannot start as it is configured. */
final class MisconfiguredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /**
   * Describes a problem and its solution.
   *
   * @param action what to change
   */
  MisconfiguredException(String problem, String action) {
    super(problem);
    this.action = action;
  }

  String action() {
    return action;
  }
}
