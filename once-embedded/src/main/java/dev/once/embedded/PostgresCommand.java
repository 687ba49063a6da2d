package dev.once.embedded;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts the programs around the server, each with a limit on how long it may take. */
final class PostgresCommand {
  /** Signals and probes take milliseconds; this is for a machine that is very busy. */
  static final Duration SHORT = Duration.ofSeconds(20);

  private PostgresCommand() {}

  /** How a command ended and what it printed. */
  record Result(int exitCode, String output) {}

  /** Runs a command that prints little; a pipe holds its output until it ends. */
  static Result run(List<String> command) throws IOException {
    Process process = builder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    int exitCode = await(process, SHORT, command.get(0));
    byte[] output = process.getInputStream().readAllBytes();
    return new Result(exitCode, new String(output, StandardCharsets.UTF_8).strip());
  }

  /** Starts a program that writes all it says to the end of {@code log}. */
  static Process start(List<String> command, Path directory, Path log) throws IOException {
    return builder(command)
        .directory(directory.toFile())
        .redirectInput(Redirect.from(new File("/dev/null")))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Waits for the end of {@code process} and kills it when it takes longer than {@code limit}. */
  static int await(Process process, Duration limit, String name) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end within " + limit);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw interrupted(name, e);
    }
  }

  static IllegalStateException interrupted(String name, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for " + name, cause);
  }

  /** Sends a signal that Java has no method for. The shell has {@code kill} built in. */
  static void signal(String signal, List<Long> pids) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\" 2>&1", "sh"));
    command.add(signal);
    pids.forEach(pid -> command.add(Long.toString(pid)));
    // A process that has just ended makes kill fail, which is no failure here: whoever needs the
    // effect of the signal waits for it.
    run(command);
  }

  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    // English messages, and no search for the machine's time zone, which takes initdb a while.
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("TZ", "UTC");
    return builder;
  }
}
