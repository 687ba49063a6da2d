package dev.once.jobs;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Something that happened to a job, or to those who work on them. */
public sealed interface JobEvent {
  /** A job was added to its queue; it counts only if the caller's transaction commits. */
  record Added(JobKey key, long id) implements JobEvent {}

  /** A job was enqueued that was there already, or done. */
  record Joined(JobKey key, long id, JobState state) implements JobEvent {}

  /** A handler begins. */
  record Started(JobKey key, long id, int attempt, long fence, Duration age) implements JobEvent {}

  /** A job is finished, and nobody will run it again. */
  record Completed(JobKey key, long id, int attempt, long fence, Duration took)
      implements JobEvent {}

  /** A try failed; the next one comes after {@code delay}. */
  record Failed(JobKey key, long id, int attempt, Duration delay, String reason)
      implements JobEvent {}

  /** A job went back in line without being charged with a try. */
  record Returned(JobKey key, long id, Duration delay, String reason) implements JobEvent {}

  /** A job became a dead letter. */
  record Died(JobKey key, long id, int attempt, String reason) implements JobEvent {}

  /** A worker found out that a job is no longer its own; its handler, if any, was interrupted. */
  record LeaseLost(JobKey key, long id, long fence) implements JobEvent {}

  /** Jobs whose worker vanished are ready again. */
  record Rescued(int jobs) implements JobEvent {}

  /** Keys of jobs finished long ago are forgotten. */
  record Purged(long keys) implements JobEvent {}

  /** Background work failed. It is tried again. */
  record Trouble(String what, Exception cause) implements JobEvent {
    static Trouble of(String what, Throwable thrown) {
      return new Trouble(
          what, thrown instanceof Exception it ? it : new ExecutionException(thrown));
    }
  }
}
