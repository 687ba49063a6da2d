package dev.once.spring;

import dev.once.Once;
import dev.once.Terms;
import dev.once.jobs.Handler;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import dev.once.jobs.RetryPolicy;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** A method that runs jobs of one type. */
record JobMethod(OnceJob settings, BeanMethod called, List<JobArgument> arguments) {
  JobMethod {
    boolean isLeased = settings.mode() == OnceJob.Mode.LEASED;
    if (isLeased && settings.batchSize() != 1) {
      throw new MisconfiguredException(
          where(called.method())
              + " sets batchSize, but is leased and has no transaction to share.",
          "Leave out batchSize, or make the mode TRANSACTIONAL.");
    }
    try {
      new JobKey("tenant", settings.queue(), settings.type(), "resource");
      withSettings(
          Handler.transactional((run, connection) -> {}).withBatchSize(settings.batchSize()),
          settings);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          where(called.method()) + " is invalid: " + e.getMessage() + ".",
          "Change the annotation.");
    }
  }

  boolean isTransactional() {
    return settings.mode() == OnceJob.Mode.TRANSACTIONAL;
  }

  /** The method as workers call it. */
  Handler handler(Once once, Terms terms) {
    Handler handler =
        switch (settings.mode()) {
          case TRANSACTIONAL ->
              Handler.transactional((run, connection) -> call(run))
                  .withBatchSize(settings.batchSize());
          case LEASED -> Handler.leased(once, this::call).withTerms(terms);
        };
    return withSettings(handler, settings);
  }

  private static Handler withSettings(Handler handler, OnceJob settings) {
    Handler retrying = handler.withRetries(RetryPolicy.DEFAULT.withAttempts(settings.attempts()));
    return settings.deadline().isEmpty()
        ? retrying
        : retrying.withDeadline(DurationStyle.detectAndParse(settings.deadline()));
  }

  String where() {
    return where(called.method());
  }

  static String where(Method method) {
    return "@OnceJob on " + method.getDeclaringClass().getName() + "." + method.getName();
  }

  /** Rethrows what the method throws unchanged: a {@code JobException} controls the retries. */
  private void call(JobRun run) throws Exception {
    JobContext.begin(run);
    try {
      @Nullable Object[] values = arguments.stream().map(it -> it.of(run)).toArray();
      called.call(values);
    } finally {
      JobContext.end();
    }
  }
}
