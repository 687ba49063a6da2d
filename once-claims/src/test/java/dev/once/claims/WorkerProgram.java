package dev.once.claims;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A worker of examples/claims, in a process of its own. */
final class WorkerProgram implements AutoCloseable {
  private static final Path EXAMPLES = Path.of("../examples/claims").toAbsolutePath().normalize();
  private static final Map<String, String> NO_DOWNLOAD =
      Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

  private final Process process;
  private final BufferedReader output;

  private WorkerProgram(Process process) {
    this.process = process;
    this.output = process.inputReader(UTF_8);
  }

  /** The languages with a worker. */
  enum Language {
    PYTHON {
      @Override
      List<String> command() {
        return List.of("python3", "worker.py");
      }

      @Override
      boolean isInstalled() {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":"))
            .anyMatch(it -> Files.isExecutable(Path.of(it, "python3")));
      }
    },
    /** Playwright brings a Node, so that none has to be installed. */
    JAVASCRIPT {
      @Override
      List<String> command() {
        Driver driver = Driver.ensureDriverInstalled(NO_DOWNLOAD, false);
        return List.of(driver.createProcessBuilder().command().get(0), "worker.mjs");
      }

      @Override
      boolean isInstalled() {
        return true;
      }
    };

    abstract List<String> command();

    abstract boolean isInstalled();
  }

  /** Starts a worker that charges {@code invoice}; its errors appear in the test's output. */
  static WorkerProgram start(
      Language language, String invoice, String amount, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>(language.command());
    command.addAll(List.of(invoice, amount));
    ProcessBuilder builder = new ProcessBuilder(command).directory(EXAMPLES.toFile());
    builder.environment().putAll(environment);
    return new WorkerProgram(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  String line() throws IOException {
    String line = output.readLine();
    assertThat(line).as("line of the worker").isNotNull();
    return line;
  }

  /** Reads the line that shows the grant, and returns its fence. */
  long fence() throws IOException {
    String line = line();
    assertThat(line).startsWith("executing under fence ");
    return Long.parseLong(line.substring("executing under fence ".length()));
  }

  /** Kills the worker with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  void awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Leaves no process behind, whatever the result of the test. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
