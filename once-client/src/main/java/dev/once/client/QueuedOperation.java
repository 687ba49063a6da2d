package dev.once.client;

import java.time.Instant;
import java.util.Optional;

/**
 * An operation in a queue, as it was when it was read.
 *
 * @param group the group with which it succeeds or fails
 * @param compensates the operation that it undoes
 * @param attempts the number of answers that were not final
 * @param firstSentAt from then on the server may know the key
 * @param advice what to do, if it failed
 * @param reason why it failed, was dropped, or was not done by the last attempt
 * @param answer the final answer, if it is done or was refused
 */
public record QueuedOperation(
    Operation operation,
    Optional<String> group,
    Optional<String> compensates,
    OperationState state,
    int attempts,
    Optional<Instant> firstSentAt,
    Optional<Instant> nextAttemptAt,
    Optional<Advice> advice,
    Optional<String> reason,
    Optional<Answer> answer) {
  public String id() {
    return operation.id();
  }
}
