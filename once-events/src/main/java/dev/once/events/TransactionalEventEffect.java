package dev.once.events;

import java.sql.Connection;

/**
 * What a handler does for an event in the registry's database. Its writes, the registry's row and
 * the last sequence are committed together, so that it takes effect once even if the process
 * crashes.
 */
@FunctionalInterface
public interface TransactionalEventEffect {
  /**
   * Handles {@code event} in an open transaction, which belongs to the consumer: the effect neither
   * commits nor rolls back nor closes the connection: these calls are refused. It must not send
   * {@code COMMIT} or {@code ROLLBACK} as statements either: events that share the transaction
   * would be handled again. After an exception only the writes for this event are undone.
   *
   * @throws UnprocessableEventException if no further attempt can succeed
   * @throws Exception if the attempt failed and is to be retried
   */
  void apply(Event event, Connection connection) throws Exception;
}
