package dev.once.jobs;

import dev.once.internal.Limits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Jobs with a join: a job that becomes ready when all of them are finished. Immutable; {@code
 * JobBatch.of(report).withJobs(pages)}. The key of the join is the key of the batch.
 */
public final class JobBatch {
  /** The maximum number of members of a batch, which are added by several calls. */
  public static final int MAX_MEMBERS = 100_000;

  private final Job join;
  private final List<Job> jobs;
  private final boolean isClosedAfterDeaths;

  private JobBatch(Job join, List<Job> jobs, boolean isClosedAfterDeaths) {
    this.join = join;
    this.jobs = jobs;
    this.isClosedAfterDeaths = isClosedAfterDeaths;
  }

  /**
   * Returns a batch without members. Its join waits for nothing.
   *
   * @param join the job that becomes ready when every member is finished, and it is due itself
   */
  public static JobBatch of(Job join) {
    if (join.aggregate().isPresent()) {
      throw new IllegalArgumentException(
          "a join cannot have an aggregate: it would wait for two things");
    }
    return new JobBatch(join, List.of(), false);
  }

  /** Sets the members, of the join's tenant. More can be added while the batch is open. */
  public JobBatch withJobs(List<Job> members) {
    Limits.range("jobs of a batch", members.size(), 0, Jobs.MAX_BATCH_SIZE);
    requireTenant(join.key().tenant(), members);
    if (members.stream().anyMatch(it -> it.key().equals(join.key()))) {
      throw new IllegalArgumentException("a join cannot be a member of its own batch: " + join);
    }
    return new JobBatch(join, List.copyOf(members), isClosedAfterDeaths);
  }

  /**
   * Lets the join run when every member has been finished or has become a dead letter. Otherwise it
   * waits until an operator has retried or discarded the dead letters.
   */
  public JobBatch closedAfterDeaths() {
    return new JobBatch(join, jobs, true);
  }

  Job join() {
    return join;
  }

  List<Job> jobs() {
    return jobs;
  }

  boolean isClosedAfterDeaths() {
    return isClosedAfterDeaths;
  }

  static void requireTenant(String tenant, List<Job> members) {
    Set<String> tenants = new HashSet<>();
    members.forEach(it -> tenants.add(it.key().tenant()));
    tenants.remove(tenant);
    if (!tenants.isEmpty()) {
      throw new IllegalArgumentException("all jobs of a batch must have one tenant");
    }
  }

  /** Shows no payloads. */
  @Override
  public String toString() {
    return "JobBatch[" + join.key() + ", " + jobs.size() + " jobs]";
  }
}
