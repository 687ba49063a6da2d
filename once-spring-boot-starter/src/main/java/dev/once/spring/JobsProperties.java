package dev.once.spring;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings under {@code once.jobs}.
 *
 * @param enabled Whether this application has jobs, and the database tables for them.
 * @param workers Whether this process runs jobs, or only enqueues them.
 * @param pollInterval How often workers poll for jobs if no notification arrives.
 * @param retention How long the key of a finished job is remembered, at least.
 * @param deadLetterRetention After what time a dead letter is discarded; by default it stays until
 *     an operator decides.
 * @param drain How long running jobs may take when the application stops.
 * @param notifies Whether processes notify each other of new jobs; otherwise workers find them by
 *     polling. Needs connections that no pooler reassigns between transactions.
 * @param queues How single queues are treated, by their names: slots, lease, concurrency,
 *     tenant-concurrency, rate and circuit-breaker.
 */
@ConfigurationProperties("once.jobs")
public record JobsProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("true") boolean workers,
    @DefaultValue("1s") Duration pollInterval,
    @DefaultValue("24h") Duration retention,
    @Nullable Duration deadLetterRetention,
    @DefaultValue("30s") Duration drain,
    @DefaultValue("true") @Name("notify") boolean notifies,
    @DefaultValue Map<String, QueueSettings> queues) {

  /**
   * Settings under {@code once.jobs.queues} of one queue.
   *
   * @param slots How many of its jobs this process runs at the same time.
   * @param lease How long a crashed process blocks a job at most.
   * @param concurrency How many of its jobs all processes together run at the same time.
   * @param tenantConcurrency How many of them may be of one tenant.
   * @param rate How many of its jobs all processes together start in rate-time.
   * @param rateTime The time for rate, one second unless set.
   * @param circuitBreaker The name of the circuit breaker around what its handlers call: while it
   *     is open, no job is claimed. Needs Resilience4j.
   */
  public record QueueSettings(
      @Nullable Integer slots,
      @Nullable Duration lease,
      @Nullable Integer concurrency,
      @Nullable Integer tenantConcurrency,
      @Nullable Integer rate,
      @Nullable Duration rateTime,
      @Nullable String circuitBreaker) {}
}
