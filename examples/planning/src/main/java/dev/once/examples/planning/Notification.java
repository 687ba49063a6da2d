package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import java.util.UUID;

/**
 * Word for a collaborator about a mission.
 *
 * @param key the same for every try, so that whoever sends it can tell that it was sent
 * @param fence higher with every try
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
