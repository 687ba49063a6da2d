package dev.once.examples.planning;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The demo in a separate JVM, as a user runs it. */
final class DemoProcess implements AutoCloseable {
  private static final int LIMIT_SECONDS = 120;
  private static final int INT_BIT = 1 << 1;

  private final Process process;
  private final Path errors;
  private final List<String> lines = new ArrayList<>();

  private DemoProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  static DemoProcess launch(Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // starts sooner, and no demo runs for long
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("demo");
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("demo", ".err");
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    return new DemoProcess(builder.start(), errors);
  }

  /** Launches the demo on a free port and returns when it is ready. */
  static DemoProcess start(Path folder, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--port", "0", "--folder", folder.toString()));
    all.addAll(List.of(arguments));
    return launch(Map.of(), all.toArray(String[]::new)).awaitReady();
  }

  DemoProcess awaitReady() throws IOException {
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.startsWith("Ctrl-C stops it")) {
        return this;
      }
    }
    throw new AssertionError("the demo did not start: " + lines + " " + errors());
  }

  /** Returns the address that the demo printed. */
  String address() {
    return lines.stream()
        .filter(line -> line.startsWith("planning is ready at "))
        .map(line -> line.split(" ", -1)[4])
        .findFirst()
        .orElseThrow();
  }

  /** Returns the commands that the demo printed for its user. */
  List<String> commands() {
    return lines.stream().filter(line -> line.startsWith("curl ")).toList();
  }

  List<ProcessHandle> descendants() {
    return process.toHandle().descendants().toList();
  }

  long pid() {
    return process.pid();
  }

  /**
   * Sends SIGINT, or SIGTERM if SIGINT is ignored: a build in the background ignores SIGINT, and
   * its children inherit that.
   */
  int interrupt() throws IOException, InterruptedException {
    boolean ignored = (ignoredSignals() & INT_BIT) != 0;
    String signal = ignored ? "TERM" : "INT";
    new ProcessBuilder("kill", "-s", signal, Long.toString(pid())).start().waitFor();
    int exitCode = exitCode();
    lines.addAll(process.inputReader().lines().toList());
    return ignored ? exitCode - 13 : exitCode;
  }

  private static long ignoredSignals() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .sum();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the demo does not end");
    }
    return process.exitValue();
  }

  String lastLine() {
    return lines.get(lines.size() - 1);
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends the demo and its helpers with SIGKILL; returns the processes of the database. */
  List<ProcessHandle> killAllButTheDatabase() throws InterruptedException {
    List<ProcessHandle> database = new ArrayList<>();
    for (ProcessHandle part : descendants()) {
      if (part.info().command().orElse("").endsWith("postgres")) {
        database.add(part);
      } else {
        part.destroyForcibly();
        part.onExit().join();
      }
    }
    kill();
    return database;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.delete(errors);
  }
}
