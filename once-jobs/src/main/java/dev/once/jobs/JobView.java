package dev.once.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A job as somebody who asks for it sees it.
 *
 * @param attempt how many times it was tried
 * @param runAt when its time comes, or came; not known of one that is done
 * @param enqueuedAt not known of one that is done
 * @param reason why its last try failed
 * @param finishedAt when it was done
 * @param discarded whether it was given up as a dead letter, which counts as done
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
