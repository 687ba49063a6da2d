package dev.once;

import dev.once.internal.Limits;

/**
 * How much one tenant may have at a time, so that it leaves room for the others. At a limit only
 * new effects are refused: keys that have a record are still answered.
 *
 * @param maxLiveKeys records that have not expired; see {@link Once.Builder#limits} for how exactly
 *     they are counted
 * @param maxBytes bytes of outcomes in the store, as it keeps them
 * @param maxInFlight effects that this engine has been granted and that have not ended
 */
public record TenantLimits(long maxLiveKeys, long maxBytes, long maxInFlight) {
  public static final long UNLIMITED = Long.MAX_VALUE;

  public static final TenantLimits NONE = new TenantLimits(UNLIMITED, UNLIMITED, UNLIMITED);

  public TenantLimits {
    Limits.range("maxLiveKeys", maxLiveKeys, 1, UNLIMITED);
    Limits.range("maxBytes", maxBytes, 1, UNLIMITED);
    Limits.range("maxInFlight", maxInFlight, 1, UNLIMITED);
  }

  public TenantLimits withMaxLiveKeys(long max) {
    return new TenantLimits(max, maxBytes, maxInFlight);
  }

  public TenantLimits withMaxBytes(long max) {
    return new TenantLimits(maxLiveKeys, max, maxInFlight);
  }

  public TenantLimits withMaxInFlight(long max) {
    return new TenantLimits(maxLiveKeys, maxBytes, max);
  }

  /** Whether the limits require the tenant's usage of the store. */
  boolean needsUsage() {
    return maxLiveKeys != UNLIMITED || maxBytes != UNLIMITED;
  }

  /** The kinds of limits. */
  public enum Limit {
    LIVE_KEYS("live keys"),
    BYTES("bytes of outcomes"),
    IN_FLIGHT("effects in flight");

    private final String words;

    Limit(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}
