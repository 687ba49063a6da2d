package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The position in the document being read and the position in the text being written.
 *
 * <p>Between tokens, {@code out} always has room for the rest of the input and {@link #SLACK} more.
 * No token but a number is written longer than it was read, so only {@link Numbers} and edits have
 * to reserve room again, and copying needs no bounds checks of its own.
 */
final class Cursor {
  /** Covers a number's extra zeros, and reading or writing eight bytes past the last one. */
  static final int SLACK = 64;

  private static final int FIRST_BYTES = 2 * 1024;

  byte[] in = new byte[0];
  int pos;
  int end;

  byte[] out = new byte[FIRST_BYTES];
  int length;

  private int origin;
  private byte[] streamed = new byte[0];

  /** Starts to read another document; the text written so far stays. */
  void open(byte[] document, int offset, int bytes, int maxBytes) {
    in = document;
    origin = offset;
    pos = offset;
    end = offset + bytes;
    if (bytes > maxBytes) {
      throw refuse(Reason.TOO_LARGE, offset + maxBytes);
    }
    reserveRest();
  }

  /** Reads all of {@code document} into memory, or one byte more than allowed, and opens it. */
  void open(InputStream document, int maxBytes) throws IOException {
    int size = 0;
    for (int n = 0; n >= 0 && size <= maxBytes; size += Math.max(n, 0)) {
      if (size == streamed.length) {
        int larger = Math.max(FIRST_BYTES, size * 2);
        streamed = Arrays.copyOf(streamed, Math.min(larger, maxBytes + 1));
      }
      n = document.read(streamed, size, Math.min(streamed.length, maxBytes + 1) - size);
    }
    open(streamed, 0, size, maxBytes);
  }

  /** Reserves room for the rest of the input. */
  void reserveRest() {
    reserve(end - pos);
  }

  /** Reserves room for {@code bytes} and the slack. */
  void reserve(int bytes) {
    int needed = length + bytes + SLACK;
    if (needed > out.length) {
      out = Arrays.copyOf(out, Math.max(needed, out.length + (out.length >> 1)));
    }
  }

  void write(int b) {
    out[length++] = (byte) b;
  }

  /** Skips white space and returns the byte that follows, without consuming it. */
  int next() {
    int p = pos;
    if (p < end && in[p] > ' ') {
      return in[p];
    }
    return nextAfterSpace();
  }

  private int nextAfterSpace() {
    if (atEnd()) {
      throw refuse(Reason.TRUNCATED);
    }
    return in[pos];
  }

  /** Skips white space and returns whether that was the rest of the document. */
  boolean atEnd() {
    while (pos < end && isSpace(in[pos])) {
      pos++;
    }
    return pos == end;
  }

  /** Releases the document, and the memory too if it has grown beyond {@code maxKept}. */
  void clear(int maxKept) {
    in = streamed;
    pos = 0;
    end = 0;
    length = 0;
    if (out.length > maxKept) {
      out = new byte[FIRST_BYTES];
    }
    if (streamed.length > maxKept) {
      streamed = new byte[0];
      in = streamed;
    }
  }

  JsonRefusedException refuse(Reason reason) {
    return refuse(reason, pos);
  }

  JsonRefusedException refuse(Reason reason, int at) {
    return new JsonRefusedException(reason, at - origin);
  }

  private static boolean isSpace(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
