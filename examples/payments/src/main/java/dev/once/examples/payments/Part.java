package dev.once.examples.payments;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A part of the demo in a separate process, which can be killed and started again. */
final class Part {
  private static final int END_SECONDS = 20;

  private final String name;
  private final String settings;
  private final Path log;
  private @Nullable Process process;

  Part(String name, Object settings, Path log) {
    this.name = name;
    this.settings = JsonMapper.shared().writeValueAsString(settings);
    this.log = log;
  }

  /** Starts the process and returns its first line of output, which means that it is ready. */
  String start() throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", // starts sooner, and no part runs for long
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            name);
    Process started =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process = started;
    // Stays open: the process ends when this one ends, for any reason.
    BufferedWriter input = started.outputWriter();
    input.write(settings + "\n");
    input.flush();
    BufferedReader output = started.inputReader();
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the " + name + " does not start: see " + log);
    }
    return line;
  }

  /** Ends the process with SIGKILL, so that it cannot clean up. */
  void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
