package dev.once.inbox;

import java.io.IOException;

/** Reads the body of a delivery from its connection. */
@FunctionalInterface
public interface BodyReader {
  /**
   * Returns the body as it was received, or its first {@code maxBytes} bytes if it is longer. The
   * rest is not read.
   */
  byte[] read(int maxBytes) throws IOException;
}
