package dev.once.gateway;

import java.util.Map;
import picocli.CommandLine;

/** The program behind {@code ./once gateway}. */
public final class Main {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  /** Runs the gateway until a signal ends it. */
  public static void main(String[] arguments) {
    Ending.prepare();
    int exitCode = run(System.getenv(), arguments);
    Ending.ended();
    System.exit(exitCode);
  }

  static int run(Map<String, String> environment, String... arguments) {
    return new CommandLine(new GatewayCommand(environment))
        .setParameterExceptionHandler(
            (failure, given) -> told(failure.getMessage() + " (./once gateway --help)", MISUSED))
        .setExecutionExceptionHandler(
            (failure, line, given) ->
                told(
                    failure instanceof SettingsException
                        ? String.valueOf(failure.getMessage())
                        : "the gateway cannot start: " + failure,
                    failure instanceof SettingsException ? MISUSED : FAILED))
        .execute(arguments);
  }

  private static int told(String reason, int exitCode) {
    System.err.println("once: " + reason);
    return exitCode;
  }
}
