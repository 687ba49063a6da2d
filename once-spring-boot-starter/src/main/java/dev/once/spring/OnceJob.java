package dev.once.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs jobs of one type with this method of a bean.
 *
 * <pre>{@code
 * @OnceJob(queue = "mail", type = "welcome")
 * void welcome(Account account, JobRun run) { … }
 * }</pre>
 *
 * A parameter of type {@link dev.once.jobs.JobRun} is the attempt that the method is called for.
 * Any other is the payload: as it is for {@code byte[]}, as UTF-8 for {@code String}, and otherwise
 * read from JSON. Both may be missing.
 *
 * <p>The job is done when the method returns. If the method throws, the job is tried again, unless
 * a {@link dev.once.jobs.JobException} says otherwise.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnceJob {
  /** The queue of the jobs. */
  String queue();

  /** The type of the jobs that this method runs. */
  String type();

  /** How a job takes effect once. */
  Mode mode() default Mode.TRANSACTIONAL;

  /**
   * How many attempts a job has before it becomes a dead letter. The default is that of {@link
   * dev.once.jobs.RetryPolicy#DEFAULT}, about two weeks; 5 are over in 20 seconds.
   */
  int attempts() default 40;

  /**
   * How long an attempt may take, such as {@code 30s}: then it is interrupted, and fails if the
   * method ends by an exception. No limit by default.
   */
  String deadline() default "";

  /**
   * How many jobs may share a transaction and its commit; for {@link Mode#TRANSACTIONAL} only. If
   * one of them fails, all are rolled back and each is run again alone, so the method must do
   * nothing that a rollback does not undo.
   */
  int batchSize() default 1;

  /** The ways in which a job takes effect once. */
  enum Mode {
    /**
     * The method's writes to the application's database and the completion of the job are one
     * transaction. Repositories and {@code @Transactional} services join it.
     */
    TRANSACTIONAL,
    /**
     * The method runs outside of any transaction, and the engine records that it was done: for
     * effects outside the database.
     */
    LEASED
  }
}
