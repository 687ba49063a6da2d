package dev.once.jobs;

/** SQL for the jobs that are blocked behind an earlier job of their aggregate. */
final class BlockedJobs {
  /** The new state of a blocked job that has become the first of its aggregate. */
  static final String STATE =
      """
      CASE WHEN NOT j.checked OR j.run_at > clock_timestamp() THEN 'waiting' ELSE 'ready' END
      """;

  /**
   * Whether {@code j}, which is selected by its id, is blocked. The state is hidden from the
   * planner, as in {@link GrantCondition}: it would use the index of blocked jobs and scan all of
   * them.
   */
  static final String BLOCKED = "j.state || '' = 'blocked'";

  /**
   * The part of a statement that unblocks the next jobs of the aggregates of {@code gone}. A job
   * that is being enqueued at the same time stays blocked although it is the first; {@link
   * UnblockStatement} finds it later.
   */
  static final String SQL =
      """
      followers AS (
        UPDATE once_job j SET state = %s
        FROM (
          SELECT (SELECT n.id FROM once_job n
                  WHERE n.tenant = g.tenant AND n.queue = g.queue AND n.aggregate = g.aggregate
                    AND n.id > g.id
                  ORDER BY n.id LIMIT 1) AS id
          FROM gone g
          WHERE g.aggregate IS NOT NULL) f
        WHERE j.id = f.id AND %s
        RETURNING j.id)
      """
          .formatted(STATE, BLOCKED);

  private BlockedJobs() {}
}
