package dev.once.examples.pipeline;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the pipeline while its parts are killed, and counts: {@code ./once demo pipeline}. The
 * script itself prints the help, so that reading it needs no build.
 */
@Command(name = "demo")
final class Demo implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final int MAX_EVENTS = 100_000;
  private static final int MAX_KILLS = 100;
  private static final int MAX_PORT = 65_535;

  @Option(names = "--events")
  private int events = 2000;

  @Option(names = "--kills")
  private int kills = 8;

  @Option(names = "--seed")
  private @Nullable Long seed;

  @Option(names = "--port")
  private int port = 8090;

  @Option(names = "--keep")
  private boolean keep;

  @Option(names = "--folder")
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  /** Runs the demo to its end and returns 0 if every event took effect once. */
  static int run(String... arguments) {
    return new CommandLine(new Demo())
        .setParameterExceptionHandler((failure, given) -> fail(MISUSED, failure))
        .setExecutionExceptionHandler((failure, line, given) -> fail(FAILED, failure))
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    range("--events", events, 1, MAX_EVENTS);
    range("--kills", kills, 0, MAX_KILLS);
    range("--port", port, 0, MAX_PORT);
    Logs.configure(Main.DEMO);
    long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1_000_000) : seed;
    try (DemoRun run = new DemoRun(new DemoRun.Settings(events, kills, chosen, port, folder))) {
      return finish(run);
    }
  }

  private int finish(DemoRun run) throws Exception {
    try {
      Outcome outcome = run.run();
      System.out.println(outcome.text());
      if (keep) {
        System.out.println(run.invitation());
        new CountDownLatch(1).await(); // Until Ctrl-C.
      }
      return outcome.isRight() ? 0 : FAILED;
    } catch (Exception e) {
      if (run.isEnding()) {
        new CountDownLatch(1).await(); // The JVM ends with the signal's own exit code.
      }
      throw e;
    }
  }

  private static void range(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, got %d".formatted(option, min, max, value));
    }
  }

  private static int fail(int exitCode, Exception failure) {
    System.err.println("once: " + failure.getMessage() + " (./once demo pipeline --help)");
    return exitCode;
  }
}
