package dev.once.spring;

import dev.once.Headers;
import dev.once.servlet.RequestIds;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The ids of a request that the jobs it causes carry on. Pass them to a job with {@code
 * Job.of(key).withCorrelation(CorrelationIds.current())}.
 */
public final class CorrelationIds {
  private static final ThreadLocal<@Nullable Headers> OF_JOB = new ThreadLocal<>();

  private CorrelationIds() {}

  /**
   * Returns the ids of the job that this thread runs, or of the request that it answers; none if it
   * does neither.
   */
  public static Headers current() {
    Headers ofJob = OF_JOB.get();
    if (ofJob != null) {
      return ofJob;
    }
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes it
        ? RequestIds.of(it.getRequest(), it.getResponse())
        : Headers.NONE;
  }

  static void begin(Headers ofJob) {
    OF_JOB.set(ofJob);
  }

  static void end() {
    OF_JOB.remove();
  }
}
