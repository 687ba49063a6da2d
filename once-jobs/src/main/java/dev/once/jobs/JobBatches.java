package dev.once.jobs;

import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Enqueues batches: jobs with a join, which becomes ready exactly once, when every member is
 * completed, cancelled or discarded. A dead letter keeps the join waiting, unless the batch is
 * {@linkplain JobBatch#closedAfterDeaths closed after deaths}. Thread-safe.
 */
public final class JobBatches {
  private final Jobs jobs;
  private final BatchCloser closer;
  private final EnqueueStatement enqueue;

  JobBatches(Jobs jobs, BatchCloser closer) {
    this.jobs = jobs;
    this.closer = closer;
    this.enqueue = new EnqueueStatement(jobs.protection());
  }

  /**
   * Enqueues a batch in the transaction that is open on {@code connection}. Workers find its jobs
   * as those of {@link Jobs#enqueue(Connection, Job)}. The same batch, enqueued again, is the
   * existing one: its members are not added twice. A job whose key exists and is not finished
   * becomes a member.
   *
   * @throws JobMismatchException if a key belongs to a job with another fingerprint
   * @throws JobBatchException if the batch was closed before, and a job is new, or if a job is a
   *     member of another batch
   */
  public BatchResult enqueue(Connection connection, JobBatch batch) {
    BatchResult result = reported(batch, run(connection, it -> execute(it, batch)));
    jobs.wakeWhenDue(batch.jobs());
    return result;
  }

  /**
   * Enqueues a batch in the caller's transaction, if the framework has one, and otherwise in a
   * transaction of its own.
   */
  public BatchResult enqueue(JobBatch batch) {
    Optional<Connection> current = jobs.transactions().current();
    if (current.isPresent()) {
      BatchResult result = enqueue(current.get(), batch);
      jobs.transactions().afterCommit(() -> enqueued(batch, result));
      return result;
    }
    BatchResult result =
        jobs.work().runInTransaction("enqueueing a batch", it -> execute(it, batch));
    enqueued(batch, reported(batch, result));
    return result;
  }

  /**
   * Adds members to an open batch, in the transaction that is open on {@code connection}. A handler
   * may add members to the batch of its own job, {@link JobRun#batch}, which is open until that job
   * is completed.
   *
   * @param batch its id: {@link BatchResult#batch}, {@link JobRun#batch}
   * @throws JobMismatchException if a key belongs to a job with another fingerprint
   * @throws JobBatchException if the batch is closed, or full, or a job is a member of another one
   */
  public List<EnqueueResult> add(Connection connection, long batch, List<Job> members) {
    List<EnqueueResult> results = run(connection, it -> addTo(it, batch, members));
    jobs.report(members, results);
    jobs.wakeWhenDue(members);
    return results;
  }

  /** Adds members in the caller's transaction, if the framework has one, or else in its own. */
  public List<EnqueueResult> add(long batch, List<Job> members) {
    Optional<Connection> current = jobs.transactions().current();
    if (current.isPresent()) {
      List<EnqueueResult> results = add(current.get(), batch, members);
      jobs.transactions().afterCommit(() -> jobs.wake(members));
      return results;
    }
    List<EnqueueResult> results =
        jobs.work().runInTransaction("adding to a batch", it -> addTo(it, batch, members));
    jobs.report(members, results);
    jobs.wake(members);
    return results;
  }

  /**
   * Returns how far a batch is; empty if it belongs to another tenant, does not exist, or was
   * closed longer ago than the retention of {@link Jobs}.
   */
  public Optional<BatchProgress> progress(String tenant, long batch) {
    return jobs.work()
        .run("counting a batch", it -> BatchProgressStatement.execute(it, tenant, batch));
  }

  private BatchResult execute(Connection connection, JobBatch batch) throws SQLException {
    EnqueueResult join =
        enqueue.execute(connection, List.of(batch.join()), EagerStart.none()).get(0);
    if (batch.jobs().isEmpty()) {
      return new BatchResult(join, List.of());
    }
    if (join.created()) {
      OpenBatchStatement.execute(connection, join.id(), batch);
      join = new EnqueueResult(join.id(), true, JobState.BLOCKED);
    }
    OptionalLong size =
        LockBatchStatement.execute(connection, join.id(), batch.join().key().tenant());
    return new BatchResult(join, addMembers(connection, join.id(), size, batch.jobs()));
  }

  private List<EnqueueResult> addTo(Connection connection, long batch, List<Job> members)
      throws SQLException {
    Limits.range("jobs", members.size(), 1, Jobs.MAX_BATCH_SIZE);
    String tenant = members.get(0).key().tenant();
    JobBatch.requireTenant(tenant, members);
    return addMembers(
        connection, batch, LockBatchStatement.execute(connection, batch, tenant), members);
  }

  private List<EnqueueResult> addMembers(
      Connection connection, long batch, OptionalLong size, List<Job> members) throws SQLException {
    List<EnqueueResult> results = enqueue.execute(connection, members, EagerStart.none());
    boolean hasNew = results.stream().anyMatch(EnqueueResult::created);
    if (size.isEmpty()) {
      if (hasNew) {
        throw JobBatchException.closed(batch);
      }
      return results;
    }
    if (hasNew && size.getAsLong() + members.size() > JobBatch.MAX_MEMBERS) {
      throw JobBatchException.full(batch, size.getAsLong());
    }
    List<Long> unfinished =
        results.stream()
            .filter(it -> it.state() != JobState.DONE)
            .map(EnqueueResult::id)
            .distinct()
            .toList();
    List<Long> elsewhere = AddMembersStatement.execute(connection, batch, unfinished);
    if (!elsewhere.isEmpty()) {
      throw JobBatchException.elsewhere(batch, elsewhere);
    }
    return results;
  }

  /** After the commit: wakes workers, and closes a batch whose members were all finished. */
  private void enqueued(JobBatch batch, BatchResult result) {
    jobs.wake(List.of(batch.join()));
    jobs.wake(batch.jobs());
    boolean isFinished = result.jobs().stream().allMatch(it -> it.state() == JobState.DONE);
    if (isFinished && result.join().state() == JobState.BLOCKED) {
      closer.closeOrReport(Set.of(result.batch()));
    }
  }

  private BatchResult reported(JobBatch batch, BatchResult result) {
    jobs.report(List.of(batch.join()), List.of(result.join()));
    jobs.report(batch.jobs(), result.jobs());
    return result;
  }

  private static <T> T run(Connection connection, TransactionRunner.Step<T> step) {
    try {
      return step.run(connection);
    } catch (SQLException e) {
      throw new StoreException("enqueueing a batch failed: " + SqlStates.messageOf(e), e);
    }
  }
}
