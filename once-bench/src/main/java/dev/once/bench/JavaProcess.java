package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns its output so far. */
  String said() throws IOException {
    return Files.readString(output);
  }

  /** Pauses it with SIGSTOP: it keeps its locks and connections and does nothing. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Resumes it with SIGCONT. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    String pid = Long.toString(pid());
    if (new ProcessBuilder("kill", "-" + name, pid).start().waitFor() != 0) {
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
