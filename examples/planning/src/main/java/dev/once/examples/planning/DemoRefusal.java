package dev.once.examples.planning;

/** Reports in one line why the demo does not start, and how to fix it. */
final class DemoRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoRefusal(String line) {
    super(line);
  }

  DemoRefusal(String line, Throwable cause) {
    super(line, cause);
  }

  /** Returns the root cause in one line. */
  static String reason(Throwable failure) {
    Throwable bottom = failure;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    // Many exceptions of the JDK have a message that means nothing without their name.
    boolean speaks = bottom instanceof IllegalStateException || bottom instanceof DemoRefusal;
    String all = speaks ? String.valueOf(bottom.getMessage()) : bottom.toString();
    return all.lines().findFirst().orElse("");
  }
}
