package dev.once.jobs;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects jobs that are not finished, and dead letters, in the order of queue and key. Immutable;
 * {@code JobQuery.of("acme").inQueue("mail").inState(JobState.WAITING)}.
 */
public final class JobQuery {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  private final String tenant;
  private final Optional<String> queue;
  private final Optional<String> type;
  private final Optional<JobState> state;
  private final Optional<JobKey> after;
  private final int limit;

  private JobQuery(
      String tenant,
      Optional<String> queue,
      Optional<String> type,
      Optional<JobState> state,
      Optional<JobKey> after,
      int limit) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    queue.ifPresent(it -> JobKey.requireName("queue", it));
    type.ifPresent(it -> JobKey.requireName("type", it));
    Limits.range("limit", limit, 1, MAX_LIMIT);
    this.tenant = tenant;
    this.queue = queue;
    this.type = type;
    this.state = state;
    this.after = after;
    this.limit = limit;
  }

  /** Selects the jobs of {@code tenant}. */
  public static JobQuery of(String tenant) {
    return new JobQuery(
        tenant,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        DEFAULT_LIMIT);
  }

  public String tenant() {
    return tenant;
  }

  /** Returns the queue of the jobs; every queue when empty. */
  public Optional<String> queue() {
    return queue;
  }

  /** Returns the type of the jobs; every type when empty. */
  public Optional<String> type() {
    return type;
  }

  /** Returns the state of the jobs; every state when empty. */
  public Optional<JobState> state() {
    return state;
  }

  /** Returns the key after which jobs are selected: {@link JobPage#next} of the previous page. */
  public Optional<JobKey> after() {
    return after;
  }

  /** Returns the maximum number of jobs. */
  public int limit() {
    return limit;
  }

  public JobQuery inQueue(String queue) {
    return new JobQuery(tenant, Optional.of(queue), type, state, after, limit);
  }

  public JobQuery ofType(String type) {
    return new JobQuery(tenant, queue, Optional.of(type), state, after, limit);
  }

  public JobQuery inState(JobState state) {
    return new JobQuery(tenant, queue, type, Optional.of(state), after, limit);
  }

  public JobQuery after(JobKey key) {
    return new JobQuery(tenant, queue, type, state, Optional.of(key), limit);
  }

  public JobQuery withLimit(int limit) {
    return new JobQuery(tenant, queue, type, state, after, limit);
  }
}
