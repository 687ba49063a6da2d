package dev.once.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A job as {@link Jobs#find} returns it.
 *
 * @param attempt the number of attempts
 * @param runAt when it is or was due; empty if it is done
 * @param enqueuedAt empty if it is done
 * @param reason why its last attempt failed
 * @param finishedAt when it was completed or discarded
 * @param discarded whether it was discarded as a dead letter, which counts as done
 */
public record JobView(
    long id,
    JobKey key,
    JobState state,
    int attempt,
    Optional<Instant> runAt,
    Optional<Instant> enqueuedAt,
    Optional<String> reason,
    Optional<Instant> finishedAt,
    boolean discarded) {
  /** Shows what is safe in a log: a reason may be private. */
  @Override
  public String toString() {
    return "JobView[%d, %s, %s, attempt %d]".formatted(id, key, state, attempt);
  }
}
