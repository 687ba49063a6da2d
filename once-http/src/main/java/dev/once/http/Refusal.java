package dev.once.http;

/** Why Once answers a request itself instead of passing it on. */
public enum Refusal {
  /** The request is not authenticated, so it has no tenant. */
  CALLER_REQUIRED,
  /** The body is larger than the contract allows. */
  BODY_TOO_LARGE,
  /** The body is JSON without a single meaning, such as an object with a duplicate member. */
  BODY_REFUSED,
  /** Too many requests; nothing was looked up or stored. */
  RATE_LIMITED,
  /** The key is missing where one is required. */
  KEY_REQUIRED,
  /** The key is not of the form that the contract accepts. */
  KEY_INVALID,
  /** The key was first used for a different request. */
  PAYLOAD_MISMATCH,
  /** The first request with this key has not ended. */
  IN_FLIGHT,
  /** An earlier request may have taken effect; its outcome must be determined first. */
  UNCERTAIN,
  /** The request took effect, but its answer was too large to keep. */
  ANSWER_NOT_KEPT,
  /** The request took effect, but its answer is sealed with a missing key or is damaged. */
  OUTCOME_UNREADABLE,
  /** The tenant has reached its limit of live keys; nothing was executed. */
  TOO_MANY_KEYS,
  /** The tenant has reached its limit of kept bytes; nothing was executed. */
  TOO_MANY_BYTES,
  /** The tenant has reached its limit of requests in execution; nothing was executed. */
  TOO_MANY_IN_FLIGHT,
  /** The store is unavailable; nothing was executed, or it was rolled back. */
  STORE_UNAVAILABLE,
  /** The request was executed, but its outcome could not be recorded. */
  OUTCOME_UNKNOWN,
  /** A dependency of the operation is failing; nothing was executed. */
  CIRCUIT_OPEN,
  /**
   * The request reached its handler without having passed Once, although its route is covered;
   * nothing was executed.
   */
  NOT_GUARDED,
  /** The request must name the revision it changes. */
  IF_MATCH_REQUIRED,
  /** The request's If-Match cannot be read or is a wildcard where none is allowed. */
  IF_MATCH_INVALID,
  /** The resource has changed since the revision that the request names. */
  VERSION_MISMATCH;
}
