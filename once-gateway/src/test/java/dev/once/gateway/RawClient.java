package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A client that sends what no library would. */
final class RawClient {
  private static final int PATIENCE_MILLIS = 3000;

  /** For connections that must be closed: only a failure waits that long. */
  private static final int LONG_PATIENCE_MILLIS = 30_000;

  private RawClient() {}

  /** Returns text in which {@code ~} stands for the end of a line. */
  static String lines(String text) {
    return text.replace("~", "\r\n");
  }

  /**
   * Sends bytes on a new connection and returns everything that comes back before it is closed, or
   * before nothing comes any more.
   */
  static String exchange(int port, String bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return read(socket.getInputStream());
    }
  }

  /** Does the same, and says first that nothing more will be sent. */
  static String exchangeAll(int port, String bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(LONG_PATIENCE_MILLIS);
      try {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        socket.shutdownOutput();
      } catch (IOException e) {
        // It has been closed already; an answer may be there.
      }
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        answer.write(next);
      }
    } catch (SocketTimeoutException e) {
      answer.writeBytes("[still open]".getBytes(ISO_8859_1));
    } catch (IOException e) {
      answer.writeBytes("[reset]".getBytes(ISO_8859_1));
    }
    return answer.toString(ISO_8859_1);
  }
}
