package dev.once.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body that has arrived. A listener is called once that there is data, and once that all of
 * it was read. It may go on reading on another thread, as a proxy does that waits for its upstream:
 * then the thread that finds the end makes the second call, and no other thread may do so earlier,
 * because the last bytes are still in the listener's hands.
 */
final class BodyStream extends ServletInputStream {
  private final InputStream in;
  private final Executor later;
  private final AtomicBoolean isEndTold = new AtomicBoolean();
  private volatile long left;
  private volatile @Nullable ReadListener listener;

  /** The thread that read the last byte. */
  private volatile @Nullable Thread last;

  /** The thread in which the listener is told of data at the moment. */
  private volatile @Nullable Thread telling;

  /** Creates a stream of {@code length} bytes that calls its listener through {@code later}. */
  BodyStream(InputStream in, long length, Executor later) {
    this.in = in;
    this.left = length;
    this.later = later;
  }

  /** Creates a stream of {@code bytes} that calls its listener through {@code later}. */
  BodyStream(byte[] bytes, Executor later) {
    this(new ByteArrayInputStream(bytes), bytes.length, later);
  }

  @Override
  public int read() throws IOException {
    int next = in.read();
    return after(next, next < 0 ? -1 : 1);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = in.read(target, offset, length);
    return after(read, read);
  }

  private int after(int result, int read) {
    if (read < 0) {
      tellEnd();
    } else if (read > 0) {
      long now = left - read;
      last = Thread.currentThread(); // Before it is known that it was the last.
      left = now;
    }
    return result;
  }

  @Override
  public int available() {
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  @Override
  public boolean isFinished() {
    return left == 0;
  }

  @Override
  public boolean isReady() {
    if (isFinished()) {
      tellEnd();
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Calls the listener once: the body is always ready, so the listener can read everything. */
  @Override
  public void setReadListener(ReadListener listener) {
    this.listener = listener;
    later.execute(() -> call(listener));
  }

  private void call(ReadListener listener) {
    try {
      boolean isEmpty = isFinished();
      if (!isEmpty) {
        tellData(listener);
      }
      if (isEmpty || (isFinished() && isCurrent(last))) {
        tellEnd();
      }
    } catch (Throwable e) {
      listener.onError(e);
    }
  }

  private static boolean isCurrent(@Nullable Thread thread) {
    return Thread.currentThread().equals(thread);
  }

  private void tellData(ReadListener listener) throws IOException {
    telling = Thread.currentThread();
    try {
      listener.onDataAvailable();
    } finally {
      telling = null;
    }
  }

  /** Tells the listener that all was read, unless this is inside of its first call. */
  private void tellEnd() {
    ReadListener told = listener;
    if (told == null || isCurrent(telling) || !isEndTold.compareAndSet(false, true)) {
      return;
    }
    try {
      told.onAllDataRead();
    } catch (Throwable e) {
      told.onError(e);
    }
  }
}
