package dev.once.gateway;

/** What became of a request that was to be sent to a service. */
enum Forwarding {
  /** An answer came. */
  DONE,
  /** The service got nothing of it. */
  NOT_SENT,
  /** The service may have got it, and no whole answer came back. */
  UNKNOWN
}
