package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A separate JVM. It ends with this one at the latest. */
final class JavaProcess implements Closeable {
  /** The same fixed heap for all: no heap grows during the round of another contestant. */
  private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

  private final Process process;
  private final Path output;
  private final Thread atExit;

  private JavaProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    this.atExit = new Thread(process::destroyForcibly, "process-stop");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts a class of ours, which opens the database with {@link BenchDatabase#ofEnvironment}. */
  static JavaProcess start(Class<?> main, BenchDatabase database, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return start(command, database.toEnvironment());
  }

  /** Starts Java with {@code arguments}, and {@code environment} in addition to ours. */
  static JavaProcess start(List<String> arguments, Map<String, String> environment)
      throws IOException {
    Path output = Files.createTempFile("once-bench-", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(HEAP);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new JavaProcess(builder.start(), output);
  }

  /** Returns a port of this machine on which nothing listens yet. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  long pid() {
    return process.pid();
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  /** Returns when {@code condition} holds, and throws if it does not or the process ends. */
  void await(Duration patience, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.call()) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the process makes no progress; it says:\n" + output());
      }
      Thread.sleep(2);
    }
  }

  void send(int value) throws IOException {
    process.getOutputStream().write(value);
    process.getOutputStream().flush();
  }

  /** Pauses it with STOP: it keeps its locks and connections and does nothing. CONT resumes it. */
  void signal(String name) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor() != 0) {
      throw new IllegalStateException("cannot send SIG" + name);
    }
  }

  /** Kills it with SIGKILL, which it cannot handle. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(atExit);
    Files.deleteIfExists(output);
  }
}
