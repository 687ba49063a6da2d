package dev.once.http;

/** What became of a request with a key. */
public enum ReplayStatus {
  /** It was executed now. */
  MISS,
  /** It was answered from the record. */
  HIT,
  /** The first request with this key has not ended. */
  IN_PROGRESS,
  /** The key belongs to another request, or nobody knows what became of it. */
  CONFLICT,
  /** Nothing was executed, and nothing is known about the key. */
  REFUSED
}
