package dev.once.jobs;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;

/**
 * Selects dead letters, in the order of their ids. Immutable; {@code
 * LetterQuery.of("acme").inQueue("mail").after(lastId)}.
 *
 * @param tenant the tenant of the letters
 * @param queue only letters of this queue
 * @param afterId only letters with a higher id: the last one of the previous page, or 0
 * @param limit the maximum number of letters
 */
public record LetterQuery(String tenant, Optional<String> queue, long afterId, int limit) {
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  public LetterQuery {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    queue.ifPresent(it -> JobKey.requireName("queue", it));
    requireLimit(limit);
  }

  /** Selects the first hundred letters of {@code tenant}. */
  public static LetterQuery of(String tenant) {
    return new LetterQuery(tenant, Optional.empty(), 0, DEFAULT_LIMIT);
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
