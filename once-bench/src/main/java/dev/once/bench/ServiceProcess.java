package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A service in a separate JVM, on a free port. It ends with this JVM at the latest. */
final class ServiceProcess implements Closeable {
  private static final Duration MAX_START = Duration.ofMinutes(3);
  private static final long PAUSE_MILLIS = 50;
  private static final int OK = 200;
  private static final int NONE = 0;

  private final JavaProcess process;
  private final int port;

  private ServiceProcess(JavaProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts {@code jar}, which reads its port from the environment as {@code PORT}. */
  static ServiceProcess start(Path jar, Map<String, String> environment, List<String> arguments)
      throws IOException {
    int port = freePort();
    List<String> command = new ArrayList<>(List.of("-jar", jar.toString()));
    command.addAll(arguments);
    Map<String, String> withPort = new HashMap<>(environment);
    withPort.put("PORT", Integer.toString(port));
    return new ServiceProcess(JavaProcess.start(command, withPort), port);
  }

  /** Returns a clock for the processor time of the service. */
  CpuClock clock() {
    return new ProcessTree(process.pid());
  }

  int port() {
    return port;
  }

  /** Returns when the service answers {@code request} with 200. */
  void awaitReady(byte[] request) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + MAX_START.toNanos();
    for (int status = status(request); status != OK; status = status(request)) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the service did not start, its last answer was %d; it says:%n%s"
                .formatted(status, process.said()));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private int status(byte[] request) throws IOException {
    try (HttpConnection connection = new HttpConnection(port)) {
      return connection.exchange(request).status();
    } catch (ConnectException e) { // It does not listen yet.
      return NONE;
    }
  }

  /** Kills the service: none of its state is needed any more. */
  @Override
  public void close() throws IOException {
    process.close();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return socket.getLocalPort();
    }
  }
}
