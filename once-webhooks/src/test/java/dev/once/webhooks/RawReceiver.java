package dev.once.webhooks;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers a request with any bytes, whether they are HTTP or not. */
final class RawReceiver implements AutoCloseable {
  private final ServerSocket server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();
  private final Script script;

  /** Writes an answer; the connection is closed afterwards. */
  interface Script {
    void answer(OutputStream out) throws Exception;
  }

  RawReceiver(Script script) throws IOException {
    this.script = script;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
  }

  int requests() {
    return requests.get();
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      byte[] request = new byte[8192];
      if (socket.getInputStream().read(request) > 0) {
        requests.incrementAndGet();
        script.answer(socket.getOutputStream());
        socket.getOutputStream().flush();
      }
    } catch (Exception e) {
      // The client went away, or the test ends.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
