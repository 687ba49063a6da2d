package dev.once.http;

/** How a request with a key was answered. */
public enum ReplayStatus {
  /** The request was executed now. */
  MISS("idempotency_miss", "idempotency.miss"),
  /** The request was answered from the record. */
  HIT("idempotency_hit", "idempotency_cache_hit"),
  /** The first request with this key has not ended. */
  IN_PROGRESS("idempotency_concurrent", "idempotency_concurrent_request"),
  /** The key belongs to a different request, or the outcome is unknown or not available. */
  CONFLICT("idempotency_conflict", "idempotency.conflict"),
  /** Nothing was executed, and nothing is known about the key. */
  REFUSED("idempotency_refused", "idempotency.refused");

  private final String meter;
  private final String event;

  ReplayStatus(String meter, String event) {
    this.meter = meter;
    this.event = event;
  }

  /** Returns the name under which dashboards count such requests. */
  public String meter() {
    return meter;
  }

  /** Returns the name under which a log has such a request. */
  public String event() {
    return event;
  }
}
