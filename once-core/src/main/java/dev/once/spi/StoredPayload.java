package dev.once.spi;

import dev.once.Payload;
import java.io.ByteArrayOutputStream;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A payload as stores keep it: compressed, if that makes it smaller. */
public final class StoredPayload {
  /** How {@link #bytes} represent the payload. */
  public enum Form {
    /** There is no payload. */
    NONE(0),
    /** As it is. */
    RAW(1),
    /** Deflated, with a zlib header. */
    DEFLATE(2),
    /** It was larger than allowed; its size is all that is left. */
    DROPPED(3);

    private final int code;

    Form(int code) {
      this.code = code;
    }

    /** The code of this form in stored bytes: it never changes. */
    int code() {
      return code;
    }

    static Form of(int code) {
      return Stream.of(values()).filter(it -> it.code == code).findFirst().orElseThrow();
    }
  }

  /** Smaller payloads fit a row and gain nothing: a deflated JSON of 300 bytes has about 200. */
  private static final int COMPRESS_FROM_BYTES = 1024;

  /**
   * Deflate cannot compress better than this; a greater size is false and would only cost memory.
   */
  private static final int MAX_INFLATION = 1032;

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final byte[] NO_BYTES = {};

  private final Form form;
  private final long size;
  private final byte[] bytes;

  /** A payload as a store returned it. The bytes are shared, not copied. */
  public StoredPayload(Form form, long size, byte[] bytes) {
    this.form = form;
    this.size = size;
    this.bytes = bytes;
  }

  public static StoredPayload of(Payload payload) {
    if (payload instanceof Payload.Bytes it) {
      byte[] raw = it.toArray();
      byte[] deflated = raw.length < COMPRESS_FROM_BYTES ? raw : deflate(raw);
      return deflated.length < raw.length
          ? new StoredPayload(Form.DEFLATE, raw.length, deflated)
          : new StoredPayload(Form.RAW, raw.length, raw);
    }
    if (payload instanceof Payload.Dropped) {
      return new StoredPayload(Form.DROPPED, payload.size(), NO_BYTES);
    }
    if (payload instanceof Payload.None) {
      return new StoredPayload(Form.NONE, 0, NO_BYTES);
    }
    throw new AssertionError("unhandled payload " + payload);
  }

  public Form form() {
    return form;
  }

  /** How many bytes the payload has or had, whatever its form. */
  public long size() {
    return size;
  }

  /** The bytes to store; none for {@link Form#NONE} and {@link Form#DROPPED}. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the payload that was stored.
   *
   * @throws IllegalArgumentException if form, size and bytes contradict each other
   */
  public Payload toPayload() {
    return switch (form) {
      case NONE -> Payload.NONE;
      case DROPPED -> new Payload.Dropped(size);
      case RAW -> Payload.of(bytes);
      case DEFLATE -> Payload.of(inflate());
    };
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

  private byte[] inflate() {
    if (size < 0 || size > Math.min(Integer.MAX_VALUE, (long) MAX_INFLATION * bytes.length)) {
      throw new IllegalArgumentException(
          bytes.length + " deflated bytes cannot inflate to " + size);
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(bytes);
      byte[] raw = new byte[(int) size];
      int read = inflater.inflate(raw);
      // The end mark may need one more step, which must not produce more bytes.
      if (read != size || (!inflater.finished() && inflater.inflate(new byte[1]) != 0)) {
        throw new IllegalArgumentException("a body of " + size + " bytes inflates to another size");
      }
      return raw;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a stored body does not inflate", e);
    } finally {
      inflater.end();
    }
  }
}
