package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A service on raw sockets that answers as a script says, and keeps what it was sent: to answer
 * late, in part or not at all.
 */
final class ScriptedService implements AutoCloseable {
  /** What the service does with a request. */
  @FunctionalInterface
  interface Script {
    void answer(String request, Connection connection) throws Exception;
  }

  /** The connection of a request. */
  record Connection(Socket socket) {
    void send(String bytes) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(bytes.getBytes(ISO_8859_1));
      out.flush();
    }

    void ok(String body) throws IOException {
      status(200, body);
    }

    void status(int status, String body) throws IOException {
      send(
          "HTTP/1.1 %d X\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(status, body.length(), body));
    }

    /** Closes the connection with a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private final ServerSocket server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile Script script;

  ScriptedService(Script script) {
    this.script = script;
    try {
      this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "scripted-service");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** Returns the heads and bodies of all requests that arrived whole. */
  List<String> requests() {
    return requests;
  }

  long requests(String start) {
    return requests.stream().filter(it -> it.startsWith(start)).count();
  }

  void now(Script other) {
    script = other;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        daemon(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      for (String request = read(in); request != null; request = read(in)) {
        requests.add(request);
        script.answer(request, new Connection(socket));
      }
    } catch (Exception e) {
      // The gateway has closed the connection, or the script has.
    }
  }

  /** Reads a head and a body of the announced length, or of chunks; null at the end. */
  private static @Nullable String read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      bytes.write(next);
    }
    String head = bytes.toString(ISO_8859_1);
    for (String line : head.split("\r\n", -1)) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        int length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
        byte[] body = in.readNBytes(length);
        return body.length < length ? null : head + new String(body, ISO_8859_1);
      }
    }
    if (head.toLowerCase(java.util.Locale.ROOT).contains("transfer-encoding: chunked")) {
      readChunks(in, bytes);
    }
    return bytes.toString(ISO_8859_1);
  }

  /** Copies chunks with their sizes, up to the empty one that ends a body without trailers. */
  private static void readChunks(InputStream in, ByteArrayOutputStream bytes) throws IOException {
    int size;
    do {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("the body ended within a chunk");
        }
        line.write(next);
      }
      size = Integer.parseInt(line.toString(ISO_8859_1).strip().split(";", 2)[0], 16);
      bytes.writeBytes(line.toByteArray());
      bytes.write('\n');
      bytes.writeBytes(in.readNBytes(size + 2));
    } while (size > 0);
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
