package dev.once.http;

/** How a request with a key was answered. */
public enum ReplayStatus {
  /** The request was executed now. */
  MISS,
  /** The request was answered from the record. */
  HIT,
  /** The first request with this key has not ended. */
  IN_PROGRESS,
  /** The key belongs to a different request, or the outcome is unknown or not available. */
  CONFLICT,
  /** Nothing was executed, and nothing is known about the key. */
  REFUSED
}
