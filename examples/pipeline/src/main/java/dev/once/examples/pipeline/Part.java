package dev.once.examples.pipeline;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A role in a separate process, which can be killed and started again. */
final class Part {
  private static final int START_SECONDS = 120;
  private static final int END_SECONDS = 20;

  private final Role role;
  private final Map<String, String> environment;
  private final Path log;
  private volatile @Nullable Process process;
  private volatile boolean ready;
  private final AtomicInteger kills = new AtomicInteger();
  private boolean ended;

  Part(Role role, Map<String, String> environment, Path log) {
    this.role = role;
    this.environment = environment;
    this.log = log;
  }

  Role role() {
    return role;
  }

  int kills() {
    return kills.get();
  }

  /** Returns whether it is ready, so that a kill interrupts its work. */
  boolean isReady() {
    return ready;
  }

  long pid() {
    Process running = process;
    return running == null ? 0 : running.pid();
  }

  /** Returns whether it ended although it was not killed. */
  boolean hasFailed() {
    Process running = process;
    return ready && running != null && !running.isAlive();
  }

  /** Starts the process, waits until it is ready, and returns the port on which it listens. */
  int start() throws IOException {
    String line = firstLine(launch().inputReader());
    if (line == null || !line.startsWith(RoleProcess.READY)) {
      throw new IOException(role.text() + " does not start: see " + log);
    }
    ready = true;
    String port = line.substring(RoleProcess.READY.length());
    return port.equals("-") ? 0 : Integer.parseInt(port);
  }

  private synchronized Process launch() throws IOException {
    if (ended) {
      throw new IOException(role.text() + " is not started, because the demo ends");
    }
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // Its input stays open: the process ends when this one ends, for any reason.
    Process started = builder.start();
    process = started;
    return started;
  }

  private List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1", // starts sooner, and no part runs for long
        "-XX:+UseSerialGC",
        role.heap(),
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        role.text());
  }

  private @Nullable String firstLine(BufferedReader output) throws IOException {
    try {
      return CompletableFuture.supplyAsync(() -> readLine(output), it -> new Thread(it).start())
          .orTimeout(START_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      throw new IOException(
          "%s is not ready after %d s: see %s".formatted(role.text(), START_SECONDS, log), e);
    }
  }

  private static @Nullable String readLine(BufferedReader output) {
    try {
      return output.readLine();
    } catch (IOException e) {
      return null; // It was killed.
    }
  }

  /** Ends the process with SIGKILL, so that it cannot clean up. */
  void kill() {
    ready = false;
    kills.incrementAndGet();
    destroy();
  }

  /** Ends the process if it runs; it is not started again. */
  void end() {
    ready = false;
    synchronized (this) {
      ended = true;
    }
    destroy();
  }

  /** Waits until the process has ended by itself, and returns its exit code. */
  int awaitExit() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException(role.text() + " was not started");
    }
    return running.onExit().orTimeout(START_SECONDS, TimeUnit.SECONDS).join().exitValue();
  }

  private void destroy() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
