package dev.once.jobs;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects dead letters, in the order of their ids. Immutable; {@code
 * LetterQuery.of("acme").inQueue("mail").after(lastId)}.
 */
public final class LetterQuery {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  private final String tenant;
  private final Optional<String> queue;
  private final long afterId;
  private final int limit;

  private LetterQuery(String tenant, Optional<String> queue, long afterId, int limit) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    queue.ifPresent(it -> JobKey.requireName("queue", it));
    requireLimit(limit);
    this.tenant = tenant;
    this.queue = queue;
    this.afterId = afterId;
    this.limit = limit;
  }

  /** Selects the first hundred letters of {@code tenant}. */
  public static LetterQuery of(String tenant) {
    return new LetterQuery(tenant, Optional.empty(), 0, DEFAULT_LIMIT);
  }

  /** Returns the tenant of the letters. */
  public String tenant() {
    return tenant;
  }

  /** Returns the queue of the letters; every queue when empty. */
  public Optional<String> queue() {
    return queue;
  }

  /** Returns the id after which letters are selected: the last one of the previous page, or 0. */
  public long afterId() {
    return afterId;
  }

  /** Returns the maximum number of letters. */
  public int limit() {
    return limit;
  }

  public LetterQuery inQueue(String queue) {
    return new LetterQuery(tenant, Optional.of(queue), afterId, limit);
  }

  public LetterQuery after(long id) {
    return new LetterQuery(tenant, queue, id, limit);
  }

  public LetterQuery withLimit(int limit) {
    return new LetterQuery(tenant, queue, afterId, limit);
  }

  static void requireLimit(int limit) {
    Limits.range("limit", limit, 1, MAX_LIMIT);
  }
}
