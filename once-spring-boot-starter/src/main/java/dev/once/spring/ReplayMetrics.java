package dev.once.spring;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.servlet.ExchangeListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.distribution.TimeWindowSum;
import java.time.Duration;

/**
 * Reports which share of the requests to this node are replays, and how many came while the first
 * one with their key was executed; of all tenants and endpoints.
 */
final class ReplayMetrics implements ExchangeListener {
  /** The hit rate is that of the last quarter of an hour, in five steps. */
  private static final int STEPS = 5;

  private static final Duration STEP = Duration.ofMinutes(3);

  private final TimeWindowSum hits = new TimeWindowSum(STEPS, STEP);
  private final TimeWindowSum misses = new TimeWindowSum(STEPS, STEP);
  private final Counter concurrent;

  ReplayMetrics(MeterRegistry registry) {
    Gauge.builder("idempotency.cache_hit_rate", this, ReplayMetrics::hitRate)
        .description("Replays among replays and executions of the last 15 minutes, 0 to 1")
        .register(registry);
    this.concurrent =
        Counter.builder("idempotency.concurrent_requests.count")
            .description("Requests that came while the first one with their key was executed")
            .register(registry);
  }

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    switch (answered.replayStatus()) {
      case HIT -> hits.record(1);
      case MISS -> misses.record(1);
      case IN_PROGRESS -> concurrent.increment();
      case CONFLICT, REFUSED -> {} // Neither replayed nor executed.
    }
  }

  /** NaN if there were no requests. */
  private double hitRate() {
    double replays = hits.poll();
    return replays / (replays + misses.poll());
  }
}
