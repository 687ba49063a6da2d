package dev.once.inbox;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects items of one tenant from one provider, in the order of their ids. Immutable; {@code
 * ItemQuery.of("acme", "stripe").inState(ItemState.DEAD)}.
 */
public final class ItemQuery {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  private final String tenant;
  private final String provider;
  private final Optional<ItemState> state;
  private final Optional<String> after;
  private final int limit;

  private ItemQuery(
      String tenant,
      String provider,
      Optional<ItemState> state,
      Optional<String> after,
      int limit) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Provider.requireName(provider);
    after.ifPresent(it -> Limits.text("after", it, 1, Key.MAX_VALUE_CHARS));
    Limits.range("limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.provider = provider;
    this.state = state;
    this.after = after;
    this.limit = limit;
  }

  /** Selects what was received for {@code tenant}, except conflicts. */
  public static ItemQuery of(String tenant, String provider) {
    return new ItemQuery(tenant, provider, Optional.empty(), Optional.empty(), DEFAULT_LIMIT);
  }

  public String tenant() {
    return tenant;
  }

  public String provider() {
    return provider;
  }

  /** Returns the state of the items; every state but {@link ItemState#CONFLICT} when empty. */
  public Optional<ItemState> state() {
    return state;
  }

  /** Returns where the page starts: {@link ItemPage#next} of the previous page. */
  public Optional<String> after() {
    return after;
  }

  public int limit() {
    return limit;
  }

  public ItemQuery inState(ItemState state) {
    return new ItemQuery(tenant, provider, Optional.of(state), after, limit);
  }

  public ItemQuery after(String next) {
    return new ItemQuery(tenant, provider, state, Optional.of(next), limit);
  }

  /** Sets the maximum number of items. */
  public ItemQuery withLimit(int limit) {
    return new ItemQuery(tenant, provider, state, after, limit);
  }
}
