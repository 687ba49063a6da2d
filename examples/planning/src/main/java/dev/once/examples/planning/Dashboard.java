package dev.once.examples.planning;

import java.time.Instant;
import java.util.UUID;

/**
 * The counts of a project.
 *
 * @param asOf when they were counted, so that clients can see the age of this derived view
 */
record Dashboard(
    UUID projectId, Instant asOf, Missions missions, long collaborators, long assignments) {
  /** Missions by state. */
  record Missions(long planned, long locked, long archived) {}
}
