package dev.once.workflow;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects runs of one state, in the order of their names. Immutable; {@code RunQuery.of("acme",
 * RunState.FAILED).withLimit(10)}.
 */
public final class RunQuery {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  private final String tenant;
  private final RunState state;
  private final Optional<String> after;
  private final int limit;

  private RunQuery(String tenant, RunState state, Optional<String> after, int limit) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.range("limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.state = state;
    this.after = after;
    this.limit = limit;
  }

  public static RunQuery of(String tenant, RunState state) {
    return new RunQuery(tenant, state, Optional.empty(), DEFAULT_LIMIT);
  }

  public String tenant() {
    return tenant;
  }

  public RunState state() {
    return state;
  }

  /** Returns the run after which runs are selected: the last one of the previous page. */
  public Optional<String> after() {
    return after;
  }

  public int limit() {
    return limit;
  }

  public RunQuery after(String run) {
    return new RunQuery(tenant, state, Optional.of(run), limit);
  }

  public RunQuery withLimit(int limit) {
    return new RunQuery(tenant, state, after, limit);
  }
}
