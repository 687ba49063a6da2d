package dev.once.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between a process and its database that injects network faults. Thread-safe. */
final class Relay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final int target;
  private final ServerSocket door = new ServerSocket();
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private volatile boolean swallows;

  /** A relay to a port of this machine. */
  Relay(int target) throws IOException {
    this.target = target;
    this.door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Threads.daemon(this::accept, "relay").start();
  }

  int port() {
    return door.getLocalPort();
  }

  /** Closes all connections, on both sides. */
  void cut() {
    lines.forEach(Line::close);
  }

  /** Closes all connections on the side of the process, while those to the server stay open. */
  void abandon() {
    lines.stream().filter(line -> line.abandoned).forEach(Line::close); // Of the previous call.
    lines.forEach(Line::abandon);
  }

  /** Drops all data of the open connections, without closing them. */
  void silence() {
    lines.forEach(line -> line.silent = true);
  }

  /** Does the same, also for new connections, until {@link #heal}. */
  void swallow() {
    swallows = true;
    silence();
  }

  /** Forwards data again; closes connections that may have lost some. */
  void heal() {
    swallows = false;
    lines.stream().filter(line -> line.silent).forEach(Line::close);
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }

  private void accept() {
    try {
      while (true) {
        connect(door.accept());
      }
    } catch (IOException e) {
      return; // Closed.
    }
  }

  private void connect(Socket near) throws IOException {
    try {
      Line line = new Line(near, new Socket(InetAddress.getLoopbackAddress(), target), swallows);
      lines.add(line);
      if (line.silent && !swallows) {
        line.close(); // Healed before the connection was added.
      }
      Threads.daemon(() -> line.pump(line.near, line.far), "relay-up").start();
      Threads.daemon(() -> line.pump(line.far, line.near), "relay-down").start();
    } catch (IOException e) { // The server is down.
      near.close();
    }
  }

  /** A connection of the process, and the one to the server that belongs to it. */
  private final class Line {
    private final Socket near;
    private final Socket far;
    private volatile boolean silent;
    private volatile boolean abandoned;

    Line(Socket near, Socket far, boolean silent) {
      this.near = near;
      this.far = far;
      this.silent = silent;
    }

    void pump(Socket from, Socket to) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = from.getInputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          if (!silent && !abandoned) {
            to.getOutputStream().write(buffer, 0, count);
          }
        }
      } catch (IOException e) {
        return; // One of the sides is closed; the other one is closed below.
      } finally {
        if (!abandoned) {
          close();
        }
      }
    }

    void abandon() {
      abandoned = true;
      close(near);
    }

    void close() {
      lines.remove(this);
      close(near);
      close(far);
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new AssertionError("closing a socket failed", e);
      }
    }
  }
}
