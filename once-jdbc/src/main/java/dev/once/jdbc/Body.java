package dev.once.jdbc;

import dev.once.Payload;
import dev.once.StoreException;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** A payload as the table holds it: the columns body_form, body_bytes and body. */
final class Body {
  /** Smaller payloads fit a row and gain nothing: a deflated JSON of 300 bytes has about 200. */
  private static final int COMPRESS_FROM_BYTES = 1024;

  private static final int BUFFER_BYTES = 8 * 1024;

  final String form;
  final long size;
  final byte @Nullable [] bytes;

  Body(String form, long size, byte @Nullable [] bytes) {
    this.form = form;
    this.size = size;
    this.bytes = bytes;
  }

  static Body of(Payload payload) {
    if (payload instanceof Payload.Bytes it) {
      byte[] raw = it.toArray();
      byte[] deflated = raw.length < COMPRESS_FROM_BYTES ? raw : deflate(raw);
      return deflated.length < raw.length
          ? new Body("deflate", raw.length, deflated)
          : new Body("raw", raw.length, raw);
    }
    if (payload instanceof Payload.Dropped it) {
      return new Body("dropped", it.size(), null);
    }
    return new Body("none", 0, null);
  }

  Payload toPayload() {
    return switch (form) {
      case "none" -> Payload.NONE;
      case "dropped" -> new Payload.Dropped(size);
      case "raw" -> Payload.of(present());
      case "deflate" -> Payload.of(inflate(present(), Math.toIntExact(size)));
      default -> throw new StoreException("unknown body form " + form, null);
    };
  }

  private byte[] present() {
    if (bytes == null) {
      throw new StoreException("a body of form " + form + " has no bytes", null);
    }
    return bytes;
  }

  private static byte[] deflate(byte[] raw) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(raw);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length / 2);
      byte[] buffer = new byte[BUFFER_BYTES];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflate(byte[] deflated, int size) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(deflated);
      byte[] raw = new byte[size];
      int read = inflater.inflate(raw);
      // The end mark may need one more step, which must not bring more bytes.
      if (read != size || (!inflater.finished() && inflater.inflate(new byte[1]) != 0)) {
        throw new StoreException("a body of " + size + " bytes inflates to another size", null);
      }
      return raw;
    } catch (DataFormatException e) {
      throw new StoreException("a stored body does not inflate", e);
    } finally {
      inflater.end();
    }
  }
}
