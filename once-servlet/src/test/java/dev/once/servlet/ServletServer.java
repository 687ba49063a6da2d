package dev.once.servlet;

/** A container that serves a {@link Site} on a free port. */
interface ServletServer {
  /** How much of a multipart body the container itself takes. */
  int MAX_PARTS_BYTES = 100_000;

  int port();

  void stop() throws Exception;
}
