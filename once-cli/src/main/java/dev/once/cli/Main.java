package dev.once.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The program behind the commands of {@code ./once}, except the demos and the benchmarks. */
public final class Main {
  /** Longer than a relay takes to end its batch. */
  private static final int END_SECONDS = 30;

  private Main() {}

  /**
   * Runs a command. A signal interrupts it and waits for its end; the JVM exits with the signal's
   * own code then, 130 or 143.
   */
  public static void main(String[] arguments) {
    Thread command = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(command, ended), "once-end"));
    int exitCode;
    try {
      exitCode = Cli.run(Session.ofSystem(), arguments);
    } finally {
      ended.countDown();
    }
    System.exit(exitCode);
  }

  private static void end(Thread command, CountDownLatch ended) {
    command.interrupt();
    try {
      boolean unused = ended.await(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
