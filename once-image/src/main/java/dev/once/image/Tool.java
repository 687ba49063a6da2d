package dev.once.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/** Runs a program of this machine to its end. */
final class Tool {
  private Tool() {}

  /**
   * Returns what it prints.
   *
   * @throws ImageException if it fails
   */
  static String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new ImageException(
          "%s ends with %d: %s".formatted(command.get(0), exitCode, output.strip()));
    }
    return output;
  }
}
