package dev.once.workflow;

import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import dev.once.steps.RunId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A job that continues a run.
 *
 * @param timerAt when the timer is due that this job is for
 */
record WakeJob(RunId run, Optional<Instant> timerAt) {
  /** Together with the cause and the type it fits a job's key. */
  static final int MAX_RUN_CHARS = 128;

  private static final char SEPARATOR = '#';

  static Job of(String queue, String type, RunId run, String cause) {
    JobKey key = new JobKey(run.tenant(), queue, type, run.value() + SEPARATOR + cause);
    return Job.of(key).withText(run.value());
  }

  /**
   * Returns the first job of a run.
   *
   * @param fence tells the run from a purged one with the same name, whose job is known as done
   */
  static Job start(String queue, String type, RunId run, long fence) {
    return of(queue, type, run, "start" + fence);
  }

  /** Returns a job for the time until which the activation with {@code fence} lets its run wait. */
  static Job timer(String queue, String type, RunId run, long fence, Instant dueAt) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, dueAt);
    JobKey key = new JobKey(run.tenant(), queue, type, run.value() + SEPARATOR + "timer" + fence);
    return Job.of(key).withText(run.value() + SEPARATOR + micros).withRunAt(dueAt);
  }

  static String type(String workflow, int version) {
    return workflow + ".v" + version;
  }

  static WakeJob read(JobRun jobRun) {
    String text = jobRun.text();
    int separator = text.lastIndexOf(SEPARATOR);
    String tenant = jobRun.key().tenant();
    if (separator < 0) {
      return new WakeJob(new RunId(tenant, text), Optional.empty());
    }
    long micros = Long.parseLong(text.substring(separator + 1));
    Instant timerAt = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return new WakeJob(new RunId(tenant, text.substring(0, separator)), Optional.of(timerAt));
  }

  static void requireName(String run) {
    if (run.length() > MAX_RUN_CHARS || run.indexOf(SEPARATOR) >= 0) {
      throw new IllegalArgumentException(
          "run of a workflow must have 1 to %d characters without '#', got %s"
              .formatted(MAX_RUN_CHARS, run.length() > MAX_RUN_CHARS ? run.length() : run));
    }
  }
}
