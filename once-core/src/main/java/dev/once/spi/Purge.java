package dev.once.spi;

import dev.once.internal.Limits;
import java.util.Optional;

/**
 * One bounded step of removing expired records.
 *
 * @param tenant the tenant of the records; every tenant when empty
 * @param limit how many records at most, 1 to 100 000
 */
public record Purge(Optional<String> tenant, int limit) {
  private static final int MAX_LIMIT = 100_000;

  public Purge {
    Limits.range("purge limit", limit, 1, MAX_LIMIT);
  }

  public static Purge ofEveryTenant(int limit) {
    return new Purge(Optional.empty(), limit);
  }

  public static Purge of(String tenant, int limit) {
    return new Purge(Optional.of(tenant), limit);
  }
}
