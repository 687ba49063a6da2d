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

/** Runs the external commands around the server, each with a time limit. */
final class PostgresCommand {
  /** Signals and probes take milliseconds; the limit allows for a very busy machine. */
  static final Duration SHORT = Duration.ofSeconds(20);

  private static final String OWN_SESSION =
      "command -v setsid > /dev/null && exec setsid \"$@\"; exec \"$@\"";

  private PostgresCommand() {}

  /** The exit code of a command and its output. */
  record Result(int exitCode, String output) {}

  /** Runs a command that prints little; a pipe holds its output until it ends. */
  static Result run(List<String> command) throws IOException {
    Process process = builder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    int exitCode = await(process, SHORT, command.get(0));
    byte[] output = process.getInputStream().readAllBytes();
    return new Result(exitCode, new String(output, StandardCharsets.UTF_8).strip());
  }

  /** Starts a command that appends all its output to {@code log}. */
  static Process start(List<String> command, Path directory, Path log) throws IOException {
    return builder(command)
        .directory(directory.toFile())
        .redirectInput(Redirect.from(new File("/dev/null")))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log.toFile()))
        .start();
  }

  /**
   * Returns a command that runs outside the process group of this JVM. Ctrl-C, and a kill of the
   * group, reach every process of the group: the server has to run while its program still finishes
   * its work, and its guard after the program was killed. On macOS, which has no {@code setsid},
   * the command runs in the group.
   */
  static List<String> inOwnSession(List<String> command) {
    // Neither the shell nor setsid stays: each replaces itself by the next program and keeps the
    // process id.
    List<String> all = new ArrayList<>(List.of("sh", "-c", OWN_SESSION, "sh"));
    all.addAll(command);
    return all;
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
    // If a process has just ended, kill fails. That is no failure here: callers that need the
    // effect of the signal wait for it.
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
