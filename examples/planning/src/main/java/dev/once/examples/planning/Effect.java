package dev.once.examples.planning;

import dev.once.jobs.JobKey;
import java.util.UUID;

/**
 * Derived data that a write makes outdated, and that a job updates later.
 *
 * @param target the resource of the derived data: the written resource, or the one it belongs to
 */
record Effect(String queue, String type, UUID target) {
  /** Updates the resource in the search index. */
  static Effect searchIndex(UUID resourceId) {
    return new Effect(SearchIndexer.QUEUE, SearchIndexer.INDEX, resourceId);
  }

  /** Recounts the project. */
  static Effect dashboardRefresh(UUID projectId) {
    return new Effect(DashboardRefresher.QUEUE, DashboardRefresher.REFRESH, projectId);
  }

  /** Notifies a collaborator of an assignment. */
  static Effect notifyAssignment(UUID assignmentId) {
    return new Effect(AssignmentNotifier.QUEUE, AssignmentNotifier.ASSIGNMENT, assignmentId);
  }

  /**
   * Returns the key of the job for one write. Each write has its own key, because a run that began
   * before a write does not include that write.
   */
  JobKey key(String tenant, Entry cause) {
    String version = cause.id().equals(target) ? "" : cause.kind() + ":" + cause.id() + "@";
    return new JobKey(tenant, queue, type, target + "@" + version + cause.version());
  }
}
