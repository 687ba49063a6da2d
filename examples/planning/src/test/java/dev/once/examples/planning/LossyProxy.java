package dev.once.examples.planning;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link that loses: it drops requests and answers, delays them, and resets connections in the
 * middle of a body, each at random.
 */
final class LossyProxy implements AutoCloseable {
  private static final int ONE_IN = 8;
  private static final int MAX_DELAY_MILLIS = 50;

  private final ServerSocket listener;
  private final URI target;
  private final Random random;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger faults = new AtomicInteger();
  private volatile boolean isHealed;

  LossyProxy(URI target, long seed) {
    this.target = target;
    this.random = new Random(seed);
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  void heal() {
    isHealed = true;
  }

  int faults() {
    return faults.get();
  }

  private void accept() {
    try {
      while (!listener.isClosed()) {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(target.getHost(), target.getPort())) {
      threads.execute(() -> relay(client, server));
      relay(server, client);
    } catch (IOException e) {
      // The server is gone, and so is the client's connection.
    }
  }

  private void relay(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 14];
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        switch (fault()) {
          case 0 -> { // Nothing of it arrives.
            reset(from, to);
            return;
          }
          case 1 -> { // A part of it arrives.
            out.write(buffer, 0, read / 2);
            out.flush();
            reset(from, to);
            return;
          }
          case 2 -> Thread.sleep(delay());
          default -> {}
        }
        out.write(buffer, 0, read);
        out.flush();
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One of the two has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized int fault() {
    int fault = isHealed ? ONE_IN : random.nextInt(ONE_IN);
    if (fault < 2) {
      faults.incrementAndGet();
    }
    return fault;
  }

  private synchronized int delay() {
    return random.nextInt(MAX_DELAY_MILLIS);
  }

  private static void reset(Socket... sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
