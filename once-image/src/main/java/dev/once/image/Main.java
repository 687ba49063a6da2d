package dev.once.image;

import picocli.CommandLine;

/** The program behind {@code ./once image}. */
public final class Main {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  /** Writes an image and ends. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    return new CommandLine(new ImageCommand())
        .setParameterExceptionHandler(
            (failure, given) -> told(failure.getMessage() + " (./once image --help)", MISUSED))
        .setExecutionExceptionHandler((failure, line, given) -> told(reason(failure), FAILED))
        .execute(arguments);
  }

  private static String reason(Exception failure) {
    boolean isExpected = failure instanceof ImageException;
    return isExpected
        ? String.valueOf(failure.getMessage())
        : "the image cannot be written: " + failure;
  }

  private static int told(String reason, int exitCode) {
    System.err.println("once: " + reason);
    return exitCode;
  }
}
