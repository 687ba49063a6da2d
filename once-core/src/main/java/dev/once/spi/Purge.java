package dev.once.spi;

import dev.once.internal.Limits;
import java.util.Optional;

/** One bounded step of removing expired records. */
public final class Purge {
  private static final int MAX_LIMIT = 100_000;

  private final Optional<String> tenant;
  private final int limit;

  private Purge(Optional<String> tenant, int limit) {
    Limits.range("purge limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.limit = limit;
  }

  public static Purge ofEveryTenant(int limit) {
    return new Purge(Optional.empty(), limit);
  }

  public static Purge of(String tenant, int limit) {
    return new Purge(Optional.of(tenant), limit);
  }

  /** Returns the tenant of the records; every tenant when empty. */
  public Optional<String> tenant() {
    return tenant;
  }

  /** Returns how many records are removed at most, 1 to 100 000. */
  public int limit() {
    return limit;
  }
}
