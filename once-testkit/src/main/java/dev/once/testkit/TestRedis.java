package dev.once.testkit;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A real Redis on a free port of this machine, with a directory of its own. The program comes from
 * {@code org.signal:embedded-redis}, which has to be on the class path.
 *
 * <p>A small shell starts the server and sends it signals, on commands that it reads from a pipe.
 * The kernel closes the pipe when this JVM ends, however it ends, and then the shell kills the
 * server and deletes the directory.
 */
public final class TestRedis implements AutoCloseable {
  private static final String SHELL =
      """
      trap '' HUP INT QUIT TERM
      while read -r word; do
        case $word in
          START) ./redis-server redis.conf </dev/null >>log 2>&1 & ;;
          KILL) kill -s KILL $!; wait ;;
          *) kill -s "$word" $! ;;
        esac
        echo "$word"
      done
      kill -s KILL $!
      wait
      rm -rf -- "$PWD"
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Path directory;
  private final int port;
  private final Process shell;
  private final BufferedWriter orders;
  private final BufferedReader echoes;

  private TestRedis(List<String> settings) throws IOException {
    this.directory = Files.createTempDirectory("once-redis-");
    this.port = freePort();
    unpack(directory.resolve("redis-server"));
    List<String> lines = new ArrayList<>(List.of("bind 127.0.0.1", "port " + port, "save \"\""));
    lines.addAll(settings);
    Files.write(directory.resolve("redis.conf"), lines);
    this.shell =
        new ProcessBuilder("sh", "-c", SHELL)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    this.orders = shell.outputWriter(StandardCharsets.US_ASCII);
    this.echoes = shell.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Starts a server without persistence, unless {@code settings}, lines of redis.conf, enable it.
   */
  public static TestRedis start(String... settings) {
    try {
      TestRedis redis = new TestRedis(List.of(settings));
      redis.restart();
      return redis;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One server for all code in this JVM that does not stop or change it. It ends with the JVM. */
  public static TestRedis shared() {
    return Shared.SERVER;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public int port() {
    return port;
  }

  /** Kills the server with SIGKILL. What it wrote to its directory stays. */
  public void kill() {
    order("KILL");
  }

  /** Starts the killed server again, on the same port and directory. */
  public void restart() {
    order("START");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Redis does not start: " + log());
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** Stops the server with SIGSTOP: connections stay open, and nothing is answered. */
  public void pause() {
    order("STOP");
  }

  /** Resumes a paused server. */
  public void resume() {
    order("CONT");
  }

  /** Ends the server and deletes its directory. */
  @Override
  public void close() {
    try {
      orders.close();
      shell.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void order(String word) {
    try {
      orders.write(word + "\n");
      orders.flush();
      if (!word.equals(echoes.readLine())) {
        throw new IllegalStateException("the shell that runs Redis did not " + word);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the server is running and has loaded its files. */
  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(PING);
      return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII)
          .equals("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Low enough for a cluster's second port, which is 10 000 higher. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();
      return port <= 55_535 ? port : freePort();
    }
  }

  private static void unpack(Path program) throws IOException {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String name =
        "/redis-server-7.0.15-%s-%s"
            .formatted(
                os.contains("mac") ? "darwin" : "linux",
                System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64");
    try (InputStream bytes = TestRedis.class.getResourceAsStream(name)) {
      if (bytes == null) {
        throw new IllegalStateException("add org.signal:embedded-redis, which has no " + name);
      }
      Files.copy(bytes, program);
    }
    if (!program.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + program + " executable");
    }
  }

  private static final class Shared {
    private static final TestRedis SERVER = start();
  }
}
