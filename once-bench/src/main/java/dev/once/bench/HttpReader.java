package dev.once.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads HTTP/1.1 responses, each to its last byte, so that the next one on the connection starts at
 * the right place. It supports what a service sends over a persistent connection: bodies with a
 * length and chunked bodies.
 */
final class HttpReader {
  private static final String VERSION = "HTTP/1.1 ";
  private static final int STATUS_DIGITS = 3;
  private static final int HEXADECIMAL = 16;
  private static final int BUFFER_BYTES = 16 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;

  HttpReader(InputStream in) {
    this.in = in;
  }

  HttpReply reply() throws IOException {
    String start = line();
    if (!start.startsWith(VERSION)) {
      throw new IOException("an answer must start with %s, got %s".formatted(VERSION, start));
    }
    int digits = VERSION.length();
    int status = Integer.parseInt(start.substring(digits, digits + STATUS_DIGITS));
    Map<String, String> headers = headers();
    return new HttpReply(status, headers, new String(body(headers), StandardCharsets.UTF_8));
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("a header must have a colon, got " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return bytes(Integer.parseInt(length), new byte[0]);
    }
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return chunks();
    }
    throw new IOException("an answer must have a length or chunks, got " + headers);
  }

  private byte[] chunks() throws IOException {
    byte[] body = new byte[0];
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body = bytes(size, body);
      line(); // The end of the chunk.
    }
    headers(); // Trailers, if any, and the end of the body.
    return body;
  }

  private int chunkSize() throws IOException {
    String line = line();
    int extension = line.indexOf(';');
    String size = extension < 0 ? line : line.substring(0, extension);
    return Integer.parseInt(size.strip(), HEXADECIMAL);
  }

  /** Returns the next line, without its end. */
  private String line() throws IOException {
    StringBuilder longLine = new StringBuilder();
    while (true) {
      for (int i = position; i < limit; i++) {
        if (buffer[i] == '\n') {
          String line = longLine.append(text(position, i)).toString();
          position = i + 1;
          return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        }
      }
      longLine.append(text(position, limit));
      fill();
    }
  }

  /** Appends {@code count} more bytes to what was read before. */
  private byte[] bytes(int count, byte[] before) throws IOException {
    byte[] bytes = Arrays.copyOf(before, before.length + count);
    int end = before.length;
    while (end < bytes.length) {
      if (position == limit) {
        fill();
      }
      int part = Math.min(limit - position, bytes.length - end);
      System.arraycopy(buffer, position, bytes, end, part);
      position += part;
      end += part;
    }
    return bytes;
  }

  private String text(int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private void fill() throws IOException {
    limit = in.read(buffer);
    position = 0;
    if (limit < 0) {
      limit = 0;
      throw new EOFException("the service closed the connection before the end of its answer");
    }
  }
}
