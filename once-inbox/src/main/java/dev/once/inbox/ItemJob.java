package dev.once.inbox;

import dev.once.jobs.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * The job of an item, as its key finds it.
 *
 * @param isDiscarded whether an operator discarded or cancelled it
 */
record ItemJob(long id, JobState state, int attempt, Optional<Instant> runAt, boolean isDiscarded) {
  ItemState itemState() {
    return switch (state) {
      case WAITING, BLOCKED -> ItemState.WAITING;
      case READY -> ItemState.READY;
      case RUNNING -> ItemState.RUNNING;
      case DEAD -> ItemState.DEAD;
      case DONE -> isDiscarded ? ItemState.DISCARDED : ItemState.PROCESSED;
    };
  }
}
