package dev.once.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between a process and its server that injects network faults. Thread-safe. */
public final class NetworkRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final int target;
  private final ServerSocket door = new ServerSocket();
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private volatile boolean swallows;

  /** Opens a relay to a port of this machine. */
  public NetworkRelay(int target) throws IOException {
    this.target = target;
    this.door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    daemon(this::accept, "relay");
  }

  public int port() {
    return door.getLocalPort();
  }

  /** Closes all connections, on both sides. */
  public void cut() {
    links.forEach(Link::close);
  }

  /** Closes all connections on the side of the process, while those to the server stay open. */
  public void abandon() {
    links.stream().filter(link -> link.abandoned).forEach(Link::close); // Of the previous call.
    links.forEach(Link::abandon);
  }

  /** Drops all data of the open connections, without closing them. */
  public void silence() {
    links.forEach(link -> link.silent = true);
  }

  /** Does the same, also for new connections, until {@link #heal}. */
  public void swallow() {
    swallows = true;
    silence();
  }

  /** Forwards data again; closes connections that may have lost some. */
  public void heal() {
    swallows = false;
    links.stream().filter(link -> link.silent).forEach(Link::close);
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
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

  private void connect(Socket clientSide) throws IOException {
    try {
      Link link =
          new Link(clientSide, new Socket(InetAddress.getLoopbackAddress(), target), swallows);
      links.add(link);
      if (link.silent && !swallows) {
        link.close(); // Healed before the connection was added.
      }
      daemon(() -> link.pump(link.clientSide, link.serverSide), "relay-up");
      daemon(() -> link.pump(link.serverSide, link.clientSide), "relay-down");
    } catch (IOException e) { // The server is down.
      clientSide.close();
    }
  }

  /** A connection of the process, and the one to the server that belongs to it. */
  private final class Link {
    private final Socket clientSide;
    private final Socket serverSide;
    private volatile boolean silent;
    private volatile boolean abandoned;

    Link(Socket clientSide, Socket serverSide, boolean silent) {
      this.clientSide = clientSide;
      this.serverSide = serverSide;
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
      close(clientSide);
    }

    void close() {
      links.remove(this);
      close(clientSide);
      close(serverSide);
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
