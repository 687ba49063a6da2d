package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The open connections to one service. A call takes an idle one, so there are as many as there were
 * concurrent callers. Thread-safe.
 */
final class HttpConnections implements Closeable {
  private final int port;
  private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();

  HttpConnections(int port) {
    this.port = port;
  }

  HttpReply exchange(byte[] request) throws IOException {
    HttpConnection free = idle.pollFirst();
    HttpConnection connection = free == null ? new HttpConnection(port) : free;
    HttpReply reply;
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
  }
}
