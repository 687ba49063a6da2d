package dev.once.jobs;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Something that happened to a job, or to the workers. */
public sealed interface JobEvent {
  /** A job was added to its queue; this is void if the caller's transaction rolls back. */
  record Added(JobKey key, long id) implements JobEvent {}

  /** A job was enqueued with the key of a job that exists, or is done. */
  record Joined(JobKey key, long id, JobState state) implements JobEvent {}

  /** A handler starts. */
  record Started(JobKey key, long id, int attempt, long fence, Duration age) implements JobEvent {}

  /** A job is completed, and will not run again. */
  record Completed(JobKey key, long id, int attempt, long fence, Duration took)
      implements JobEvent {}

  /** An attempt failed; the next one follows after {@code delay}. */
  record Failed(JobKey key, long id, int attempt, Duration delay, String reason)
      implements JobEvent {}

  /** A job was returned to its queue; the run does not count as an attempt. */
  record Returned(JobKey key, long id, Duration delay, String reason) implements JobEvent {}

  /** A job became a dead letter. */
  record Died(JobKey key, long id, int attempt, String reason) implements JobEvent {}

  /** A worker detected that it lost the lease of a job; the handler, if it ran, was interrupted. */
  record LeaseLost(JobKey key, long id, long fence) implements JobEvent {}

  /** Jobs whose lease expired are ready again. */
  record Rescued(int jobs) implements JobEvent {}

  /** The keys of jobs that finished long ago were removed. */
  record Purged(long keys) implements JobEvent {}

  /** A background task failed. It will be tried again. */
  record Trouble(String what, Exception cause) implements JobEvent {
    static Trouble of(String what, Throwable thrown) {
      return new Trouble(
          what, thrown instanceof Exception it ? it : new ExecutionException(thrown));
    }
  }
}
