package dev.once.examples.tutorial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The service of the page, as a process on a free port. */
final class ShopProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
  private static final Pattern READY = Pattern.compile("Started ShopApplication");

  private final Process process;
  private final Path log;

  private ShopProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static ShopProcess start(ShopProject project, Path log, List<String> arguments)
      throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.add("--server.port=0");
    return new ShopProcess(project.run(log, "com.example.shop.ShopApplication", all), log);
  }

  /** Returns the port when the service is ready. */
  int port() {
    await(READY);
    return Integer.parseInt(await(PORT).group(1));
  }

  /** Returns when the service has logged {@code text}. */
  void awaitLogged(String text) {
    await(Pattern.compile(Pattern.quote(text)));
  }

  /** Ends the process with SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Ends the process as Ctrl-C does: it stops its database first. */
  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private MatchResult await(Pattern wanted) {
    long start = System.nanoTime();
    while (true) {
      // Before the log is read: nothing is added to the log of a process that has ended.
      boolean isLast = !process.isAlive() || System.nanoTime() - start > PATIENCE.toNanos();
      String logged = logged();
      var found = wanted.matcher(logged);
      if (found.find()) {
        return found.toMatchResult();
      }
      if (isLast) {
        throw new AssertionError("the service must log " + wanted + " but it logged\n" + logged);
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  private String logged() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
