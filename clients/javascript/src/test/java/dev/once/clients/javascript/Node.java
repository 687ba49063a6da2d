package dev.once.clients.javascript;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Node that Playwright brings, so that none has to be installed. */
final class Node {
  static final Map<String, String> NO_DOWNLOAD = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

  /** The directory of the JavaScript client, in which tests run. */
  static final Path CLIENT = Path.of("").toAbsolutePath();

  private Node() {}

  /** Returns a process of Node in the directory of the client; errors go to its output. */
  static ProcessBuilder process(String... arguments) {
    String node =
        Driver.ensureDriverInstalled(NO_DOWNLOAD, false).createProcessBuilder().command().get(0);
    List<String> command = new ArrayList<>(List.of(node));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(CLIENT.toFile()).redirectErrorStream(true);
  }

  /** What a process printed, and its exit code. */
  record Run(int exitCode, String output) {}

  static Run run(String... arguments) throws IOException, InterruptedException {
    Process process = process(arguments).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Run(process.waitFor(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
