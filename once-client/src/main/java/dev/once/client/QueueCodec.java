package dev.once.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Requests and answers as bytes. A later release adds a version, and reads this one. */
final class QueueCodec {
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 512;

  /** Headers of an answer with secrets. */
  private static final Set<String> NOT_KEPT =
      Set.of("set-cookie", "set-cookie2", "authorization", "www-authenticate");

  private QueueCodec() {}

  static byte[] request(Operation operation) {
    return write(
        operation.bytes().length,
        out -> {
          text(out, operation.method());
          text(out, operation.uri().toString());
          out.writeInt(operation.headers().size());
          for (Map.Entry<String, String> header : operation.headers().entrySet()) {
            text(out, header.getKey());
            text(out, header.getValue());
          }
          bytes(out, operation.bytes());
        });
  }

  /**
   * Returns a builder with the request; id, key, type and ordering key are columns of their own.
   */
  static Operation.Builder request(byte[] request) {
    return read(
        request,
        in -> {
          Operation.Builder operation = Operation.builder(text(in), URI.create(text(in)));
          Map<String, String> headers = new LinkedHashMap<>();
          for (int left = in.readInt(); left > 0; left--) {
            headers.put(text(in), text(in));
          }
          headers.forEach(operation::header);
          return operation.bytes(bytes(in));
        });
  }

  /** Returns an answer as bytes, without cookies, and without a body that is too large. */
  static byte[] answer(Answer answer, int maxBodyBytes) {
    boolean isKept = answer.bytes().length <= maxBodyBytes;
    return write(
        isKept ? answer.bytes().length : 0,
        out -> {
          out.writeInt(answer.status());
          Map<String, List<String>> headers = new LinkedHashMap<>(answer.headers().map());
          headers.keySet().removeIf(it -> NOT_KEPT.contains(it.toLowerCase(Locale.ROOT)));
          out.writeInt(headers.values().stream().mapToInt(List::size).sum());
          for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            for (String value : header.getValue()) {
              text(out, header.getKey());
              text(out, value);
            }
          }
          bytes(out, isKept ? answer.bytes() : new byte[0]);
          out.writeBoolean(isKept && answer.isComplete());
        });
  }

  static Answer answer(byte[] answer) {
    return read(
        answer,
        in -> {
          int status = in.readInt();
          Map<String, List<String>> headers = new LinkedHashMap<>();
          for (int left = in.readInt(); left > 0; left--) {
            headers.computeIfAbsent(text(in), name -> new ArrayList<>()).add(text(in));
          }
          return new Answer(status, headers, bytes(in), in.readBoolean());
        });
  }

  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  private interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  private static byte[] write(int bodyBytes, Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(bodyBytes + HEAD_BYTES);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writer.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new QueueException("an operation was stored by a newer release: " + version, null);
      }
      return reader.read(in);
    } catch (IOException | RuntimeException e) { // A length below zero, an address that is none.
      throw e instanceof QueueException it
          ? it
          : new QueueException("an operation in the queue cannot be read", e);
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    bytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new IOException("it ends too early");
    }
    return bytes;
  }
}
