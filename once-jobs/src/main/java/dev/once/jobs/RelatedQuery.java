package dev.once.jobs;

import dev.once.Headers;
import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects the jobs that have to do with one key or id: their resource is the id, or has it between
 * the separators {@code /}, {@code :} and {@code @}, or it is one of their correlation ids.
 * Immutable; {@code RelatedQuery.of("acme", "order-42").finished()}.
 */
public final class RelatedQuery {
  private final String tenant;
  private final String id;
  private final boolean isFinished;
  private final Optional<String> after;

  private RelatedQuery(String tenant, String id, boolean isFinished, Optional<String> after) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.text("id", id, 1, Headers.MAX_CHARS);
    after.ifPresent(RelatedPlace::of);
    this.tenant = tenant;
    this.id = id;
    this.isFinished = isFinished;
    this.after = after;
  }

  /** Selects the jobs of {@code tenant} that are not finished, and dead letters. */
  public static RelatedQuery of(String tenant, String id) {
    return new RelatedQuery(tenant, id, false, Optional.empty());
  }

  public String tenant() {
    return tenant;
  }

  public String id() {
    return id;
  }

  public boolean isFinished() {
    return isFinished;
  }

  /** Returns where the page starts: {@link RelatedJobs#next} of the previous page. */
  public Optional<String> after() {
    return after;
  }

  /** Selects finished jobs instead, for as long as they are remembered. */
  public RelatedQuery finished() {
    return new RelatedQuery(tenant, id, true, after);
  }

  public RelatedQuery after(String next) {
    return new RelatedQuery(tenant, id, isFinished, Optional.of(next));
  }
}
