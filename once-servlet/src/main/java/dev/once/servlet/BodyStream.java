package dev.once.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.util.concurrent.Executor;

/** Reads a body from memory. */
final class BodyStream extends ServletInputStream {
  private final ByteArrayInputStream bytes;
  private final Executor later;

  /** Creates a stream that calls its listener through {@code later}. */
  BodyStream(byte[] bytes, Executor later) {
    this.bytes = new ByteArrayInputStream(bytes);
    this.later = later;
  }

  @Override
  public int read() {
    return bytes.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    return bytes.read(target, offset, length);
  }

  @Override
  public int available() {
    return bytes.available();
  }

  @Override
  public boolean isFinished() {
    return bytes.available() == 0;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  /** Calls the listener once: memory is always ready, so the listener can read everything. */
  @Override
  public void setReadListener(ReadListener listener) {
    later.execute(() -> call(listener));
  }

  private void call(ReadListener listener) {
    try {
      if (!isFinished()) {
        listener.onDataAvailable();
      }
      if (isFinished()) {
        listener.onAllDataRead();
      }
    } catch (Throwable e) {
      listener.onError(e);
    }
  }
}
