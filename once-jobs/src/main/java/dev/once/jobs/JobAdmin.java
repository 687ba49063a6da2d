package dev.once.jobs;

import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets operators list, cancel and postpone jobs that are not finished. Every call names a tenant: a
 * job of another tenant is not found. Every change and its entry in the audit trail, {@link
 * DeadLetters#audit}, are one statement. Thread-safe.
 */
public final class JobAdmin {
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final BatchCloser batches;
  private final Duration retention;
  private final PayloadProtection protection;
  private final JobListener listener;

  JobAdmin(
      TransactionRunner work,
      QueueNotifier notifier,
      BatchCloser batches,
      Duration retention,
      PayloadProtection protection,
      JobListener listener) {
    this.work = work;
    this.notifier = notifier;
    this.batches = batches;
    this.retention = retention;
    this.protection = protection;
    this.listener = listener;
  }

  /**
   * Returns a page of jobs, dead letters among them, in the order of queue and key. A job whose row
   * this release cannot read is left out, and reported to the {@linkplain Jobs.Builder#listener
   * listener} with its id.
   */
  public JobPage list(JobQuery query) {
    return work.run(
        "listing jobs", it -> ListJobsStatement.execute(it, query, protection, listener));
  }

  /**
   * Returns a page of the jobs that have to do with one key or id, in the order of queue and key. A
   * job whose row this release cannot read is left out, and reported as by {@link #list}.
   */
  public RelatedJobs related(RelatedQuery query) {
    return work.run(
        "searching jobs",
        it ->
            RelatedJobsStatement.execute(
                it, query, RelatedJobsStatement.MAX_ROWS, protection, listener));
  }

  /** Returns a job that is not finished, or a dead letter. */
  public Optional<JobView> find(String tenant, long id) {
    return work.run("finding a job", it -> FindJobStatement.execute(it, tenant, id, protection));
  }

  /**
   * Removes jobs that are not finished. Their keys count as finished. The handler of a job that
   * runs loses its lease: it is interrupted, and what it writes in its transaction is rolled back;
   * effects outside the database may have happened.
   *
   * @param actor the operator, for the audit trail
   * @return the ids of the jobs that this call removed; a dead letter is not among them
   */
  public Set<Long> cancel(String tenant, Collection<Long> ids, String actor) {
    DeadLetters.requireActor(actor);
    List<Long> jobIds = DeadLetters.bounded(ids);
    return notifyWorkers(
        work.run(
            "cancelling jobs",
            it -> RemoveJobsStatement.cancel(it, tenant, jobIds, actor, retention)));
  }

  /**
   * Makes jobs due after {@code delay}, by the database's clock: now, if it is zero. Jobs that run,
   * and dead letters, stay as they are; a blocked job still waits for the ones before it.
   *
   * @param actor the operator, for the audit trail
   * @return the ids of the jobs that this call changed
   */
  public Set<Long> postpone(String tenant, Collection<Long> ids, Duration delay, String actor) {
    DeadLetters.requireActor(actor);
    Limits.range("delay", delay, Duration.ZERO, Job.MAX_DELAY);
    List<Long> jobIds = DeadLetters.bounded(ids);
    return notifyWorkers(
        work.run(
            "postponing jobs",
            it -> PostponeJobsStatement.execute(it, tenant, jobIds, actor, delay)));
  }

  private Set<Long> notifyWorkers(LetterChange change) {
    batches.closeOrReport(change.batches());
    change.queues().forEach(notifier::notifyQueue);
    notifier.notifyLater();
    return change.ids();
  }
}
