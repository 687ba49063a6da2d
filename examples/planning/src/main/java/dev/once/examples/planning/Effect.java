package dev.once.examples.planning;

import dev.once.jobs.JobKey;
import java.util.UUID;

/**
 * Something derived from the data that a write makes out of date, to be brought up to date later.
 *
 * @param target what it is derived for: the resource that was written, or the one it belongs to
 */
record Effect(String queue, String type, UUID target) {
  /** Finds the resource under its new words. */
  static Effect searchIndex(UUID resourceId) {
    return new Effect(SearchIndexer.QUEUE, SearchIndexer.INDEX, resourceId);
  }

  /** Counts what is in the project again. */
  static Effect dashboardRefresh(UUID projectId) {
    return new Effect(DashboardRefresher.QUEUE, DashboardRefresher.REFRESH, projectId);
  }

  /** Tells a collaborator about an assignment. */
  static Effect notifyAssignment(UUID assignmentId) {
    return new Effect(AssignmentNotifier.QUEUE, AssignmentNotifier.ASSIGNMENT, assignmentId);
  }

  /**
   * Names the work because of one write, which no other write asks for: a run that began before a
   * write knows nothing of it.
   */
  JobKey key(String tenant, Entry cause) {
    String version = cause.id().equals(target) ? "" : cause.kind() + ":" + cause.id() + "@";
    return new JobKey(tenant, queue, type, target + "@" + version + cause.version());
  }
}
