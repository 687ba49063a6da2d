package dev.once.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;

/**
 * Keeps request bodies that are larger than {@code Contract.maxBodyBytes}, and so too large for
 * memory. Such bodies are compared by their SHA-256, and nothing is claimed before the whole body
 * has arrived.
 */
public interface BodySpool {
  /** A body that has arrived. */
  @FunctionalInterface
  interface Body {
    /** Opens the body at its beginning. */
    InputStream open() throws IOException;
  }

  /** Returns how many bytes a body may have. */
  long maxBytes();

  /**
   * Reads a body to its end and keeps it until the container has ended the request.
   *
   * @param body throws if the client hangs up or sends too much; then nothing may be left, and the
   *     exception is passed on
   * @throws IOException if the body cannot be read
   */
  Body keep(HttpServletRequest request, InputStream body) throws IOException;
}
