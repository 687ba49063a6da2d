package dev.once.examples.payments;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sells under chaos, and counts: {@code ./once demo payments}. The script itself prints the help,
 * so that reading it needs no build.
 */
@Command(name = "demo")
final class Demo implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final int MAX_ORDERS = 100_000;

  @Option(names = "--orders")
  private int orders = 1000;

  @Option(names = "--seed")
  private @Nullable Long seed;

  @Option(names = "--folder")
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  /** Runs the demo to its end and returns 0 if its {@link Outcome} is right. */
  static int run(String... arguments) {
    return new CommandLine(new Demo())
        .setParameterExceptionHandler((failure, given) -> fail(MISUSED, failure))
        .setExecutionExceptionHandler((failure, line, given) -> fail(FAILED, failure))
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (orders < 1 || orders > MAX_ORDERS) {
      throw new IllegalArgumentException("--orders must be 1 to " + MAX_ORDERS + ", got " + orders);
    }
    long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1_000_000) : seed;
    try (DemoRun run = new DemoRun(orders, chosen, folder)) {
      Outcome outcome = finish(run);
      System.out.println(outcome.text());
      return outcome.isRight() ? 0 : FAILED;
    }
  }

  private static Outcome finish(DemoRun run) throws Exception {
    try {
      return run.run();
    } catch (Exception e) {
      if (run.isEnding()) {
        new CountDownLatch(1).await(); // The JVM ends with the signal's own exit code.
      }
      throw e;
    }
  }

  private static int fail(int exitCode, Exception failure) {
    System.err.println("once: " + failure.getMessage() + " (./once demo payments --help)");
    return exitCode;
  }
}
