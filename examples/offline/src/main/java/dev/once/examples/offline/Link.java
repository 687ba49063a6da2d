package dev.once.examples.offline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a phone to the server, which can be cut: as a port on this machine that passes
 * bytes on. While it is cut, nothing listens there. Thread-safe.
 */
final class Link implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BACKLOG = 50;

  private final int server;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Runnable> atNextAnswer = new AtomicReference<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "link");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable ServerSocket listener;

  /** Opens a port that leads to the server's. */
  Link(int server) throws IOException {
    this.server = server;
    ServerSocket first = listen(0);
    this.port = first.getLocalPort();
    accept(first);
  }

  private static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    return socket;
  }

  private synchronized void accept(ServerSocket socket) {
    listener = socket;
    threads.execute(() -> acceptAll(socket));
  }

  int port() {
    return port;
  }

  synchronized boolean isCut() {
    return listener == null;
  }

  /** Ends all connections, and accepts none. What the server has received it still executes. */
  synchronized void cut() {
    close(listener);
    listener = null;
    open.forEach(Link::close);
  }

  synchronized void restore() {
    if (listener == null) {
      try {
        accept(listen(port));
      } catch (IOException e) {
        throw new UncheckedIOException("the link cannot be restored", e);
      }
    }
  }

  /** Discards the next answer of the server, and ends its connection after {@code then}. */
  void loseNextAnswer(Runnable then) {
    atNextAnswer.set(then);
  }

  /** Takes {@link #loseNextAnswer} back. */
  void passAnswers() {
    atNextAnswer.set(null);
  }

  private void acceptAll(ServerSocket socket) {
    try {
      while (true) {
        Socket phone = socket.accept();
        threads.execute(() -> connect(phone));
      }
    } catch (IOException e) {
      // It is cut.
    }
  }

  private void connect(Socket phone) {
    open.add(phone);
    try (phone;
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server)) {
      threads.execute(() -> passAnswers(upstream, phone));
      pass(phone, upstream);
    } catch (IOException e) {
      // One of the two has ended; then both connections end.
    } finally {
      open.remove(phone);
    }
  }

  private static void pass(Socket from, Socket to) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    InputStream input = from.getInputStream();
    for (int bytes = input.read(buffer); bytes > 0; bytes = input.read(buffer)) {
      to.getOutputStream().write(buffer, 0, bytes);
    }
  }

  private void passAnswers(Socket upstream, Socket phone) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (phone) {
      InputStream input = upstream.getInputStream();
      for (int bytes = input.read(buffer); bytes > 0; bytes = input.read(buffer)) {
        Runnable lost = atNextAnswer.getAndSet(null);
        if (lost != null) {
          lost.run();
          return;
        }
        phone.getOutputStream().write(buffer, 0, bytes);
      }
    } catch (IOException e) {
      // One of the two has ended.
    }
  }

  private static void close(@Nullable AutoCloseable it) {
    try {
      if (it != null) {
        it.close();
      }
    } catch (Exception e) {
      // It has ended already.
    }
  }

  @Override
  public void close() {
    cut();
    threads.shutdownNow();
  }
}
