package dev.once.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;

/** A body from memory. */
final class BodyStream extends ServletInputStream {
  private final ByteArrayInputStream bytes;

  BodyStream(byte[] bytes) {
    this.bytes = new ByteArrayInputStream(bytes);
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

  /** Memory is always ready, so the listener is called at once. */
  @Override
  public void setReadListener(ReadListener listener) {
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
