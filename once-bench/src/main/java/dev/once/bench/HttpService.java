package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A process that serves HTTP on a port of this machine, and connections to it. Thread-safe. */
final class HttpService implements Closeable {
  private static final Duration MAX_START = Duration.ofMinutes(3);

  private final int port;
  private final JavaProcess process;
  private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();

  /** Takes a process that need not listen yet. */
  HttpService(int port, JavaProcess process) {
    this.port = port;
    this.process = process;
  }

  int port() {
    return port;
  }

  CpuClock clock() {
    return CpuClock.processTree(process.pid());
  }

  /** Returns when it answers a path with 200. */
  void await(String path) throws Exception {
    process.await(MAX_START, () -> isReady(path));
  }

  private boolean isReady(String path) throws IOException {
    try {
      return get(path).status() == 200;
    } catch (ConnectException e) {
      return false; // It does not listen yet.
    }
  }

  HttpConnection.Reply get(String path) throws IOException {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }

  /** Takes an idle connection, so there are as many as there were concurrent callers. */
  HttpConnection.Reply exchange(String request) throws IOException {
    HttpConnection free = idle.pollFirst();
    HttpConnection connection = free == null ? new HttpConnection(port) : free;
    HttpConnection.Reply reply;
    try {
      reply = connection.exchange(request);
    } catch (IOException | RuntimeException e) {
      connection.close(); // The start of the next response is unknown.
      throw e;
    }
    idle.addFirst(connection);
    return reply;
  }

  @Override
  public void close() throws IOException {
    for (HttpConnection connection : idle) {
      connection.close();
    }
    process.close(); // None of its state is needed any more.
  }
}
