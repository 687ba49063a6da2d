package dev.once.examples.planning;

import java.time.Instant;
import java.util.UUID;

/**
 * What there is in a project.
 *
 * @param asOf when it was counted; clients of a derived view are told how old it is
 */
record Dashboard(
    UUID projectId, Instant asOf, Missions missions, long collaborators, long assignments) {
  /** Missions by state. */
  record Missions(long planned, long locked, long archived) {}
}
