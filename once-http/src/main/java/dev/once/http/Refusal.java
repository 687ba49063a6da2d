package dev.once.http;

/** Why Once answers a request by itself instead of letting it through. */
public enum Refusal {
  /** Nobody is authenticated, so there is no tenant to look in. */
  CALLER_REQUIRED,
  /** The body is larger than the contract allows. */
  BODY_TOO_LARGE,
  /** The body is JSON without a single meaning, such as one with a member twice. */
  BODY_REFUSED,
  /** Too many requests; nothing was looked up or stored. */
  RATE_LIMITED,
  /** There is no key where one is needed. */
  KEY_REQUIRED,
  /** The key is not of the form that the contract accepts. */
  KEY_INVALID,
  /** The key was first used for a different request. */
  PAYLOAD_MISMATCH,
  /** The first request with this key has not ended. */
  IN_FLIGHT,
  /** An earlier request may have taken effect, and someone has to find out. */
  UNCERTAIN,
  /** The request took effect, but its answer was too large to keep. */
  ANSWER_NOT_KEPT,
  /** The request took effect, but its answer is sealed with a missing key, or damaged. */
  OUTCOME_UNREADABLE,
  /** The tenant has as many live keys as it may have; nothing was executed. */
  TOO_MANY_KEYS,
  /** The tenant has as many kept bytes as it may have; nothing was executed. */
  TOO_MANY_BYTES,
  /** The tenant has as many requests in execution as it may have; nothing was executed. */
  TOO_MANY_IN_FLIGHT,
  /** The store cannot be asked, so nothing was executed. */
  STORE_UNAVAILABLE,
  /** The request was executed, but its outcome could not be recorded. */
  OUTCOME_UNKNOWN,
  /** What the operation depends on is failing; nothing was executed. */
  CIRCUIT_OPEN,
  /** The request has to say which revision it changes. */
  IF_MATCH_REQUIRED,
  /** The request's If-Match cannot be read or is a wildcard where none is allowed. */
  IF_MATCH_INVALID,
  /** The resource has changed since the revision that the request names. */
  VERSION_MISMATCH;
}
