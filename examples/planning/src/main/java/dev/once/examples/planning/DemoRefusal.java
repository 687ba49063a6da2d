package dev.once.examples.planning;

/** Says in one line why the demo does not start, and what to do about it. */
final class DemoRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoRefusal(String line) {
    super(line);
  }

  DemoRefusal(String line, Throwable cause) {
    super(line, cause);
  }

  /** What went wrong at the bottom of it, in one line. */
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
