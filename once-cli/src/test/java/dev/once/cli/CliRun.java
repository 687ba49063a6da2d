package dev.once.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A command that runs in this process. */
final class CliRun {
  private static final long PATIENCE_SECONDS = 60;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final FutureTask<Integer> command;
  private final Thread thread;

  private CliRun(Map<String, String> environment, Optional<String> password, String... arguments) {
    Session session =
        new Session(environment, stream(out), stream(err), prompt -> answer(prompt, password));
    this.command = new FutureTask<>(() -> Cli.run(session, arguments));
    this.thread = new Thread(command, "cli");
  }

  private Optional<String> answer(String prompt, Optional<String> password) {
    stream(err).println(prompt);
    return password;
  }

  /** Runs a command to its end. */
  static CliRun of(Map<String, String> environment, String... arguments) {
    CliRun run = start(environment, arguments);
    int unused = run.exitCode();
    return run;
  }

  /** Runs a command at a terminal whose user types the password. */
  static CliRun withPassword(
      String password, Map<String, String> environment, String... arguments) {
    CliRun run = new CliRun(environment, Optional.of(password), arguments);
    run.thread.start();
    int unused = run.exitCode();
    return run;
  }

  /** Starts a command. */
  static CliRun start(Map<String, String> environment, String... arguments) {
    CliRun run = new CliRun(environment, Optional.empty(), arguments);
    run.thread.start();
    return run;
  }

  /** Waits for the end of the command. */
  int exitCode() {
    try {
      return command.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      thread.interrupt();
      throw new AssertionError("the command does not end\n" + out() + err(), e);
    }
  }

  /** Stops the command as Ctrl-C does, and returns its exit code. */
  int interrupt() {
    thread.interrupt();
    return exitCode();
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  List<String> lines() {
    return out().lines().toList();
  }

  /** Waits until the command has printed a text. */
  void awaitOut(String text) {
    awaitText(text, out);
  }

  void awaitErr(String text) {
    awaitText(text, err);
  }

  private void awaitText(String text, ByteArrayOutputStream stream) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!stream.toString(StandardCharsets.UTF_8).contains(text)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("no " + text + " in\n" + out() + err());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
