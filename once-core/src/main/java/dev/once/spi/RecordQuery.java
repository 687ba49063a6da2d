package dev.once.spi;

import dev.once.Key;
import dev.once.internal.Limits;

/**
 * Selects records to list. Immutable; {@code RecordQuery.of("acme", "step:order-42")}.
 *
 * @param tenant the tenant of the records
 * @param scope the scope of the records
 * @param after only records whose key has a value after this one: the last of the page before, or
 *     ""
 * @param limit how many at most
 */
public record RecordQuery(String tenant, String scope, String after, int limit) {
  public static final int MAX_LIMIT = 1000;

  public RecordQuery {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.text("scope", scope, 1, Key.MAX_SCOPE_CHARS);
    Limits.text("last key of the page before", after, 0, Key.MAX_VALUE_CHARS);
    Limits.range("limit", limit, 1, MAX_LIMIT);
  }

  /** The first page of all records in {@code scope}. */
  public static RecordQuery of(String tenant, String scope) {
    return new RecordQuery(tenant, scope, "", MAX_LIMIT);
  }

  /** The page after the one that ends with {@code entry}. */
  public RecordQuery after(RecordEntry entry) {
    return new RecordQuery(tenant, scope, entry.key().value(), limit);
  }

  public RecordQuery withLimit(int limit) {
    return new RecordQuery(tenant, scope, after, limit);
  }
}
