package dev.once.jobs;

/** The condition of every change by a worker: its claim is the newest one. */
final class GrantCondition {
  /**
   * For a job {@code j} and a claim {@code c}. The state is hidden from the planner, which would
   * otherwise use the index of running jobs: it keeps the entries of all earlier runs for as long
   * as some transaction stays open.
   */
  static final String SQL = "j.id = c.id AND j.fence = c.fence AND j.state || '' = 'running'";

  private GrantCondition() {}
}
