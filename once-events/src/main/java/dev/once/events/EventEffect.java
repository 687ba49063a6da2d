package dev.once.events;

/**
 * What a handler does for an event outside the registry's database: a call to another service, a
 * document in a search index. It is interrupted if its lease is lost.
 *
 * <p>An effect runs again if its process crashes before the registry knows that it happened. So it
 * has to be idempotent by the event's id, or refuse a fence that is lower than one it has seen.
 */
@FunctionalInterface
public interface EventEffect {
  /**
   * Handles {@code event}.
   *
   * @throws UnprocessableEventException if no further attempt can succeed
   * @throws RetryLaterException if the attempt failed and the next one is to wait for some time
   * @throws Exception if the attempt failed and is to be retried
   */
  void apply(Event event, EventExecution execution) throws Exception;
}
