package dev.once.servlet;

/** A container that serves a {@link Site} on a free port. */
interface ServletServer {
  /** The container's own limit of a multipart body. */
  int MAX_PARTS_BYTES = 100_000;

  int port();

  void stop() throws Exception;
}
