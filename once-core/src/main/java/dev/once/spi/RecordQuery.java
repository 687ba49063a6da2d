package dev.once.spi;

import dev.once.Key;
import dev.once.internal.Limits;

/** Selects records to list. Immutable; {@code RecordQuery.of("acme", "step:order-42")}. */
public final class RecordQuery {
  public static final int MAX_LIMIT = 1000;

  private final String tenant;
  private final String scope;
  private final String after;
  private final int limit;

  private RecordQuery(String tenant, String scope, String after, int limit) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.text("scope", scope, 1, Key.MAX_SCOPE_CHARS);
    Limits.text("last key of the page before", after, 0, Key.MAX_VALUE_CHARS);
    Limits.range("limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.scope = scope;
    this.after = after;
    this.limit = limit;
  }

  /** The first page of all records in {@code scope}. */
  public static RecordQuery of(String tenant, String scope) {
    return new RecordQuery(tenant, scope, "", MAX_LIMIT);
  }

  /** Returns the tenant of the records. */
  public String tenant() {
    return tenant;
  }

  /** Returns the scope of the records. */
  public String scope() {
    return scope;
  }

  /** Returns the value after which keys are listed: the last of the page before, or "". */
  public String after() {
    return after;
  }

  /** Returns how many records are listed at most. */
  public int limit() {
    return limit;
  }

  /** The page after the one that ends with {@code entry}. */
  public RecordQuery after(RecordEntry entry) {
    return new RecordQuery(tenant, scope, entry.key().value(), limit);
  }

  public RecordQuery withLimit(int limit) {
    return new RecordQuery(tenant, scope, after, limit);
  }
}
