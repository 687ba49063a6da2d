package dev.once;

import dev.once.TenantLimits.Limit;
import java.time.Duration;

/** A tenant has reached a limit. The effect did not happen, and nothing was written. */
public final class TenantLimitException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final String tenant;
  private final Limit limit;
  private final long max;
  private final Duration retryAfter;

  TenantLimitException(String tenant, Limit limit, long max, Duration retryAfter) {
    super(
        "tenant %s has %d %s or more, and may have no more: retry after %s, or raise its limit"
            .formatted(tenant, max, limit.words(), retryAfter),
        null);
    this.tenant = tenant;
    this.limit = limit;
    this.max = max;
    this.retryAfter = retryAfter;
  }

  public String tenant() {
    return tenant;
  }

  public Limit limit() {
    return limit;
  }

  /** What the limit is set to. */
  public long max() {
    return max;
  }

  /** The earliest time at which a retry makes sense. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
