package dev.once.http;

import dev.once.Headers;

/**
 * The headers that report how a request was answered.
 *
 * @param replayed the header that is {@code true} on a replay and absent otherwise; empty for none
 * @param status whether every answer to a request with a key has {@code X-Idempotency-Status} and
 *     {@code X-Idempotency-Key}
 */
public record ReplayHeaders(String replayed, boolean status) {
  public ReplayHeaders {
    if (!replayed.isEmpty()) {
      Headers.NONE.with(replayed, "true"); // An invalid name would fail on the first replay.
    }
  }

  static final String STATUS = "X-Idempotency-Status";
  static final String KEY = "X-Idempotency-Key";
}
