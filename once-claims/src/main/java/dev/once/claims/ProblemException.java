package dev.once.claims;

/** Ends a request with a problem. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Problem problem;

  /**
   * @param detail what is wrong with this request and how to fix it; sent to the client
   */
  ProblemException(Problem problem, String detail) {
    super(detail, null, false, false); // An answer, not a defect: no stack trace.
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }

  String detail() {
    return String.valueOf(getMessage());
  }
}
