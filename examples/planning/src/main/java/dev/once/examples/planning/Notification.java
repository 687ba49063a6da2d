package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import java.util.UUID;

/**
 * A message to a collaborator about a mission.
 *
 * @param key the same for every attempt, so that the provider can detect a duplicate
 * @param fence higher with every attempt
 */
record Notification(
    String tenant,
    String key,
    long fence,
    UUID collaboratorId,
    UUID missionId,
    Correlation correlation) {
  static Notification of(JobRun run, Assignment assignment) {
    return new Notification(
        run.key().tenant(),
        run.key().text(),
        run.fence(),
        assignment.collaboratorId(),
        assignment.missionId(),
        Correlation.of(run.correlation()));
  }
}
