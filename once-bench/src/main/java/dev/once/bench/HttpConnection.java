package dev.once.bench;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A persistent HTTP/1.1 connection to a service on this machine. Callers share the processors with
 * the service that they measure, and this takes a third of the processor time per request that
 * {@code HttpURLConnection} takes, and a fifth of that of {@code java.net.http}.
 */
final class HttpConnection implements Closeable {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;

  HttpConnection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    this.in = socket.getInputStream();
  }

  /**
   * A response, read to its end.
   *
   * @param headers by name, in lower case
   */
  record Reply(int status, Map<String, String> headers, String body) {
    Reply require(int wanted) {
      if (status != wanted) {
        throw new IllegalStateException(
            "the service must answer %d, got %d: %s".formatted(wanted, status, body));
      }
      return this;
    }
  }

  /** Sends a request and reads its response to the last byte, where the next one starts. */
  Reply exchange(String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    String[] start = line().split(" ", 3);
    Map<String, String> headers = headers();
    String body = new String(body(headers), StandardCharsets.UTF_8);
    return new Reply(Integer.parseInt(start[1]), headers, body);
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  /** Reads a body with a length, or else in chunks. */
  private byte[] body(Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String length = headers.get("content-length");
    if (length != null) {
      read(Integer.parseInt(length), body);
      return body.toByteArray();
    }
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      read(size, body);
      line(); // The end of the chunk.
    }
    line(); // The end of the body: the services send no trailers.
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = read(); next != '\n'; next = read()) {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  private void read(int count, ByteArrayOutputStream into) throws IOException {
    for (int missing = count; missing > 0; ) {
      fill();
      int part = Math.min(limit - position, missing);
      into.write(buffer, position, part);
      position += part;
      missing -= part;
    }
  }

  private int read() throws IOException {
    fill();
    return buffer[position++];
  }

  private void fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer));
      if (limit == 0) {
        throw new EOFException("the service closed the connection before the end of its answer");
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
