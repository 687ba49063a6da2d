package dev.once.examples.planning;

import java.util.UUID;

/**
 * Something derived from the data that a write makes out of date, to be brought up to date later.
 */
record Effect(String queue, String type, UUID resourceId) {
  /** Finds the resource under its new words. */
  static Effect searchIndex(UUID resourceId) {
    return new Effect("search", "index", resourceId);
  }

  /** Counts what is in the project again. */
  static Effect dashboardRefresh(UUID projectId) {
    return new Effect("dashboard", "refresh", projectId);
  }

  /** Tells a collaborator about an assignment. */
  static Effect notifyAssignment(UUID assignmentId) {
    return new Effect("notify", "assignment", assignmentId);
  }

  String topic() {
    return queue + "." + type;
  }

  /** The same for every request to do the same work. */
  String key(String tenant) {
    return "job:" + tenant + ":" + queue + ":" + type + ":" + resourceId;
  }
}
