package dev.once.jobs;

/** The condition that every change by a worker has: the claim it was given is the newest one. */
final class GrantCondition {
  /**
   * For a job {@code j} and a claim {@code c}. The state is hidden from the planner, which would
   * otherwise take the index of running jobs: that one has what is left of all that ever ran, for
   * as long as some transaction stays open.
   */
  static final String SQL = "j.id = c.id AND j.fence = c.fence AND j.state || '' = 'running'";

  private GrantCondition() {}
}
