package dev.once.examples.offline;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the phones and the server, and counts: {@code ./once demo offline}. The script itself prints
 * the help, so that reading it needs no build.
 */
@Command(name = "demo")
final class Demo implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final int MAX_ROUNDS = 1000;

  @Option(names = "--script")
  private boolean script;

  @Option(names = "--rounds")
  private int rounds = 15;

  @Option(names = "--seed")
  private @Nullable Long seed;

  @Option(names = "--folder")
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  /** Runs the demo to its end and returns 0 if every operation took effect once. */
  static int run(String... arguments) {
    return new CommandLine(new Demo())
        .setParameterExceptionHandler((failure, given) -> fail(MISUSED, failure))
        .setExecutionExceptionHandler((failure, line, given) -> fail(FAILED, failure))
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (rounds < 0 || rounds > MAX_ROUNDS) {
      throw new CommandLine.ParameterException(
          new CommandLine(this), "--rounds must be 0 to %d, got %d".formatted(MAX_ROUNDS, rounds));
    }
    long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1_000_000) : seed;
    Summary summary = script ? play(chosen) : Screen.show(folder, chosen);
    System.out.println("\n" + summary.text());
    return summary.isRight() ? 0 : FAILED;
  }

  private Summary play(long chosen) throws Exception {
    System.out.println("seed " + chosen + "; the apps log to " + folder.resolve("offline.log"));
    try (DemoRun run = new DemoRun(folder, chosen, line -> System.out.println(line))) {
      new Script(run, chosen, rounds).play();
      return run.summary();
    }
  }

  private static int fail(int exitCode, Exception failure) {
    System.err.println("once: " + failure.getMessage() + " (./once demo offline --help)");
    return exitCode;
  }
}
