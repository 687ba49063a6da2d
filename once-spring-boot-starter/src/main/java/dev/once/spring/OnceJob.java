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
 * A parameter of type {@link dev.once.jobs.JobRun} is the try that the method is called for. Any
 * other is the payload: as it is for {@code byte[]}, as UTF-8 for {@code String}, and otherwise
 * read from JSON. Both may be missing.
 *
 * <p>A method that returns has done its job. One that throws is called again, unless it says
 * otherwise with a {@link dev.once.jobs.JobException}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnceJob {
  /** Where its jobs stand in line. */
  String queue();

  /** What is done, which is what a job is given to this method by. */
  String type();

  /** How it is made sure that it is done once. */
  Mode mode() default Mode.TRANSACTIONAL;

  /** How many times a job is tried before it becomes a dead letter. */
  int tries() default 5;

  /**
   * How many jobs may share a transaction, and with it the commit; only where that is the mode. If
   * one of them fails, all are rolled back and each is run again alone, so the method must do
   * nothing that a rollback does not undo.
   */
  int batchSize() default 1;

  /** How it is made sure that a job is done once. */
  enum Mode {
    /**
     * What the method writes to the application's database and the completion of the job are one
     * transaction. Repositories and {@code @Transactional} services join it.
     */
    TRANSACTIONAL,
    /**
     * The method runs outside of any transaction, and the engine remembers that it was done: for
     * work that reaches beyond the database.
     */
    LEASED
  }
}
