package dev.once.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** Speaks HTTP over a plain socket, to see every byte and to disconnect at any time. */
final class RawClient implements AutoCloseable {
  private static final int QUIET_MILLIS = 150;

  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Gate.PATIENCE_SECONDS));
  }

  RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Reads everything up to the end of the connection. */
  String readAll() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    socket.getInputStream().transferTo(all);
    return all.toString(ISO_8859_1);
  }

  /** Reads everything up to and including {@code end}. */
  String readTo(String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("the connection ended after: " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }

  /** Returns whether nothing arrives for a while. */
  boolean hearsNothing() throws IOException {
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout(QUIET_MILLIS);
    try {
      socket.getInputStream().read();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout(timeout);
    }
  }

  /** Disconnects so that the server notices at its next write. */
  @Override
  public void close() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
