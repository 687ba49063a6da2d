package dev.once.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Buffers what a handler writes, up to a limit; beyond it, {@link Overflow} decides. */
final class CaptureStream extends ServletOutputStream {
  /** Handles a response that exceeds its limit. */
  @FunctionalInterface
  interface Overflow {
    /**
     * Returns the stream on which the response continues; the buffered bytes are written to it
     * first.
     */
    ServletOutputStream onOverflow(long size) throws IOException;
  }

  private final int limit;
  private final Overflow overflow;
  private final Executor later;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private @Nullable ServletOutputStream through;
  private @Nullable IOException failure;
  private boolean isSuspended;

  /** Creates a stream that calls its listener through {@code later}. */
  CaptureStream(int limit, Overflow overflow, Executor later) {
    this.limit = limit;
    this.overflow = overflow;
    this.later = later;
  }

  byte[] toByteArray() {
    return kept.toByteArray();
  }

  boolean isStreaming() {
    return through != null;
  }

  /**
   * Checks that no bytes are missing: a writer does not report that its stream failed.
   *
   * @throws IOException if the body exceeded its limit and could not be continued
   */
  void requireWhole() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  boolean isCutOff() {
    return failure != null;
  }

  /** Discards what was written, and what {@code flushing} still writes. */
  void reset(Runnable flushing) {
    boolean wasSuspended = isSuspended;
    isSuspended = true;
    flushing.run();
    isSuspended = wasSuspended;
    kept.reset();
  }

  /** Discards what is written until {@link #resume}. */
  void suspend() {
    isSuspended = true;
  }

  void resume() {
    isSuspended = false;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isSuspended) {
      return;
    }
    requireWhole();
    if (through == null && kept.size() + (long) length > limit) {
      through = continued(kept.size() + (long) length);
      kept.writeTo(through);
      kept.reset();
    }
    if (through == null) {
      kept.write(bytes, offset, length);
    } else {
      through.write(bytes, offset, length);
    }
  }

  private ServletOutputStream continued(long size) throws IOException {
    try {
      return overflow.onOverflow(size);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** Flushes only a body over the limit: until then nothing may reach the client. */
  @Override
  public void flush() throws IOException {
    if (through != null) {
      through.flush();
    }
  }

  /**
   * Returns true: memory does not block, and a body over the limit is written with blocking I/O.
   */
  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    later.execute(() -> call(listener));
  }

  private static void call(WriteListener listener) {
    try {
      listener.onWritePossible();
    } catch (Throwable e) {
      listener.onError(e);
    }
  }
}
