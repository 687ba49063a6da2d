package dev.once.http;

import dev.once.Headers;

/** The headers that report how a request was answered. */
public final class ReplayHeaders {
  /** The header with the {@link ReplayStatus}, of contracts that report it. */
  public static final String STATUS = "X-Idempotency-Status";

  /** The header that repeats the key, of contracts that report the status. */
  public static final String KEY = "X-Idempotency-Key";

  /** Identifies the request that executed, on a replay too. */
  static final String REQUEST_ID = "X-Request-ID";

  /** Identifies the request that a replay answers. */
  static final String REPLAY_REQUEST_ID = "X-Replay-Request-ID";

  private final String replayed;
  private final boolean status;

  private ReplayHeaders(String replayed, boolean status) {
    if (!replayed.isEmpty()) {
      Headers.NONE.with(replayed, "true"); // An invalid name would fail on the first replay.
    }
    this.replayed = replayed;
    this.status = status;
  }

  /**
   * Returns the headers of a contract.
   *
   * @param replayed the header that marks a replay; empty for none
   * @param status whether every answer reports its status and key
   */
  public static ReplayHeaders of(String replayed, boolean status) {
    return new ReplayHeaders(replayed, status);
  }

  /** Returns the header that is {@code true} on a replay and absent otherwise; empty for none. */
  public String replayed() {
    return replayed;
  }

  /**
   * Returns whether every answer to a request with a key has {@code X-Idempotency-Status} and
   * {@code X-Idempotency-Key}.
   */
  public boolean status() {
    return status;
  }
}
