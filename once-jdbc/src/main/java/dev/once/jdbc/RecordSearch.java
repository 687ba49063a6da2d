package dev.once.jdbc;

import dev.once.Headers;
import dev.once.Key;
import dev.once.internal.Limits;
import dev.once.spi.State;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Selects records of one tenant or of all, in any scope or in one, by their states; or those with
 * one key in all scopes of a tenant. Immutable; {@code
 * RecordSearch.of("acme").inStates(Set.of(State.UNCERTAIN))}.
 */
public final class RecordSearch {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  private final Optional<String> tenant;
  private final Optional<String> scope;
  private final Optional<String> value;
  private final Optional<String> correlation;
  private final Set<State> states;
  private final Optional<Key> after;
  private final int limit;

  private RecordSearch(
      Optional<String> tenant,
      Optional<String> scope,
      Optional<String> value,
      Optional<String> correlation,
      Set<State> states,
      Optional<Key> after,
      int limit) {
    tenant.ifPresent(it -> Limits.text("tenant", it, 1, Key.MAX_TENANT_CHARS));
    scope.ifPresent(it -> Limits.text("scope", it, 1, Key.MAX_SCOPE_CHARS));
    value.ifPresent(it -> Limits.text("key", it, 1, Key.MAX_VALUE_CHARS));
    correlation.ifPresent(it -> Limits.text("correlation", it, 1, Headers.MAX_CHARS));
    if (tenant.isEmpty() && (scope.isPresent() || value.isPresent())) {
      throw new IllegalArgumentException("a search by scope or key needs a tenant");
    }
    Limits.range("states", states.size(), 1, State.values().length);
    Limits.range("limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.scope = scope;
    this.value = value;
    this.correlation = correlation;
    this.states = EnumSet.copyOf(states);
    this.after = after;
    this.limit = limit;
  }

  /** Selects the first hundred records of {@code tenant}. */
  public static RecordSearch of(String tenant) {
    return of(Optional.of(tenant));
  }

  /** Selects the first hundred records of all tenants. */
  public static RecordSearch ofEveryTenant() {
    return of(Optional.empty());
  }

  private static RecordSearch of(Optional<String> tenant) {
    return new RecordSearch(
        tenant,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        EnumSet.allOf(State.class),
        Optional.empty(),
        DEFAULT_LIMIT);
  }

  /** Returns the tenant of the records; every tenant when empty. */
  public Optional<String> tenant() {
    return tenant;
  }

  /** Returns the scope of the records; every scope when empty. */
  public Optional<String> scope() {
    return scope;
  }

  /** Returns the value of the records' keys; every value when empty. */
  public Optional<String> value() {
    return value;
  }

  /** Returns a correlation id of the records; every one when empty. */
  public Optional<String> correlation() {
    return correlation;
  }

  /** Returns the states of the records. */
  public Set<State> states() {
    return EnumSet.copyOf(states);
  }

  /**
   * Returns the key after which records are selected: {@link RecordPage#next} of the page before.
   */
  public Optional<Key> after() {
    return after;
  }

  /** Returns the maximum number of records. */
  public int limit() {
    return limit;
  }

  /** Selects records of one scope; the search must name a tenant. */
  public RecordSearch inScope(String scope) {
    return new RecordSearch(tenant, Optional.of(scope), value, correlation, states, after, limit);
  }

  /** Selects the records with this key, in every scope or in one; the search must name a tenant. */
  public RecordSearch withValue(String value) {
    return new RecordSearch(tenant, scope, Optional.of(value), correlation, states, after, limit);
  }

  /**
   * Selects records with this correlation id. No index has it: a page reads a bounded number of
   * records, as with states.
   */
  public RecordSearch withCorrelation(String id) {
    return new RecordSearch(tenant, scope, value, Optional.of(id), states, after, limit);
  }

  public RecordSearch inStates(Set<State> states) {
    return new RecordSearch(tenant, scope, value, correlation, states, after, limit);
  }

  public RecordSearch after(Key key) {
    return new RecordSearch(tenant, scope, value, correlation, states, Optional.of(key), limit);
  }

  public RecordSearch withLimit(int limit) {
    return new RecordSearch(tenant, scope, value, correlation, states, after, limit);
  }
}
