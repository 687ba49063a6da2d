package dev.once.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Executor;
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
  private final Executor later;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private @Nullable ServletOutputStream through;
  private @Nullable IOException failure;
  private boolean isSuspended;

  /** A stream whose listener is called by {@code later}. */
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
   * Makes sure that nothing is missing: a writer tells nobody that its stream failed.
   *
   * @throws IOException if it outgrew its limit and could not go on
   */
  void requireWhole() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  boolean isCutOff() {
    return failure != null;
  }

  /** Forgets what was written, and what {@code flushing} still writes. */
  void reset(Runnable flushing) {
    boolean wasSuspended = isSuspended;
    isSuspended = true;
    flushing.run();
    isSuspended = wasSuspended;
    kept.reset();
  }

  /** Ignores what is written from now on. */
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

  /** Nothing reaches the client before the outcome is safe, so there is nothing to flush. */
  @Override
  public void flush() throws IOException {
    if (through != null) {
      through.flush();
    }
  }

  /** Memory is always ready; what is too large for it is written as if nobody listened. */
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
