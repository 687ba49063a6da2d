package dev.once.jobs;

/** What happens to the jobs that stand behind others of their aggregate. */
final class BlockedJobs {
  /** What a job becomes that is the first of its aggregate now. */
  static final String STATE =
      """
      CASE WHEN NOT j.checked OR j.run_at > clock_timestamp() THEN 'waiting' ELSE 'ready' END
      """;

  /**
   * Whether {@code j}, which is known by its id, is blocked. Hidden from the planner, as in {@link
   * Owned}: it would take the index of blocked jobs, and walk through all of them.
   */
  static final String BLOCKED = "j.state || '' = 'blocked'";

  /**
   * The part of a statement that lets go whoever stands behind the jobs in {@code gone}. A job that
   * is being enqueued in this moment does not see that it is the first; {@link UnblockStatement}
   * finds it later.
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
