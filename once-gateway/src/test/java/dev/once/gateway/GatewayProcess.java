package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway as a process of its own, started as the script does. */
final class GatewayProcess implements AutoCloseable {
  private static final Pattern PORT =
      Pattern.compile("(?:once gateway on http://|\"address\":\"http:\\\\/\\\\/)[^:]+:(\\d+)");
  private static final String END = "[the process has ended]";
  private static final int START_SECONDS = 40;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> all = new CopyOnWriteArrayList<>();
  private int port;

  private GatewayProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "gateway-output");
    reader.setDaemon(true);
    reader.start();
  }

  static GatewayProcess start(Map<String, String> environment, String... arguments)
      throws Exception {
    GatewayProcess started = launch(environment, arguments);
    Matcher address = PORT.matcher(started.line(PORT));
    if (!address.find()) {
      throw new AssertionError("the line has no port");
    }
    started.port = Integer.parseInt(address.group(1));
    return started;
  }

  /** Starts a process that may not become a gateway. */
  static GatewayProcess launch(Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new GatewayProcess(builder.start());
  }

  private void read() {
    try (BufferedReader out = process.inputReader(UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        all.add(line);
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add(e.toString()); // It was killed.
    } finally {
      lines.add(END);
    }
  }

  /** Asks the process to end, and returns all that it has written. */
  List<String> stop() throws Exception {
    // Process.destroy would close the pipe, and lose what has not been read yet.
    new ProcessBuilder("kill", Long.toString(process.pid())).start().waitFor();
    while (!END.equals(lines.poll(START_SECONDS, TimeUnit.SECONDS))) {
      // The end is the last one.
    }
    return all;
  }

  /** Waits for a line of its output. */
  String line(Pattern pattern) throws InterruptedException {
    StringBuilder seen = new StringBuilder();
    while (true) {
      String line = lines.poll(START_SECONDS, TimeUnit.SECONDS);
      if (line == null || line.equals(END)) {
        throw new AssertionError("no line has " + pattern + " in:\n" + seen);
      }
      if (pattern.matcher(line).find()) {
        return line;
      }
      seen.append(line).append('\n');
    }
  }

  String line(String part) throws InterruptedException {
    return line(Pattern.compile(Pattern.quote(part)));
  }

  int port() {
    return port;
  }

  /** Ends the process as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly();
  }

  void hangUp() throws Exception {
    new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
  }

  /** Asks the process to end, and returns its exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the gateway does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
