package dev.once.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Keeps what a handler writes, up to a limit, and from then on does what {@link Overflow} says. */
final class CaptureStream extends ServletOutputStream {
  /** What happens to a response that outgrows its limit. */
  @FunctionalInterface
  interface Overflow {
    /** Where the response continues; what was kept is sent there first. */
    ServletOutputStream onOverflow(long size) throws IOException;
  }

  private final int limit;
  private final Overflow overflow;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private @Nullable ServletOutputStream through;

  CaptureStream(int limit, Overflow overflow) {
    this.limit = limit;
    this.overflow = overflow;
  }

  byte[] toByteArray() {
    return kept.toByteArray();
  }

  boolean isStreaming() {
    return through != null;
  }

  void reset() {
    kept.reset();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (through == null && kept.size() + (long) length > limit) {
      ServletOutputStream target = overflow.onOverflow(kept.size() + (long) length);
      kept.writeTo(target);
      kept.reset();
      through = target;
    }
    if (through == null) {
      kept.write(bytes, offset, length);
    } else {
      through.write(bytes, offset, length);
    }
  }

  /** Nothing reaches the client before the outcome is safe, so there is nothing to flush. */
  @Override
  public void flush() throws IOException {
    if (through != null) {
      through.flush();
    }
  }

  @Override
  public boolean isReady() {
    return through == null || through.isReady();
  }

  /** Memory is always ready, so the listener is called at once. */
  @Override
  public void setWriteListener(WriteListener listener) {
    try {
      listener.onWritePossible();
    } catch (Throwable e) {
      listener.onError(e);
    }
  }
}
