package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted and timed of jobs. */
class JobMetricsTest {
  private static final JobKey KEY = new JobKey("acme", "mail", "welcome", "secret");

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final JobMetrics metrics = new JobMetrics(registry);

  @Test
  void countsWhatHappensByQueue() {
    metrics.on(new JobEvent.Added(KEY, 1));
    metrics.on(new JobEvent.Joined(KEY, 1, JobState.READY));
    metrics.on(new JobEvent.Joined(KEY, 1, JobState.DONE));
    metrics.on(new JobEvent.LeaseLost(KEY, 1, 1));

    assertThat(count("added")).isEqualTo(1);
    assertThat(count("joined")).isEqualTo(2);
    assertThat(count("lease_lost")).isEqualTo(1);
    assertThat(count("died")).isZero();
  }

  @Test
  void timesACompletedTryAsItsHandlerTook() {
    metrics.on(new JobEvent.Started(KEY, 1, 1, 1, Duration.ZERO));
    metrics.on(new JobEvent.Completed(KEY, 1, 1, 1, Duration.ofMillis(250)));

    assertThat(
            registry
                .get("once_job_run")
                .tags("queue", "mail", "type", "welcome", "outcome", "completed")
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(250);
  }

  @Test
  void timesTriesByHowTheyEnded() {
    metrics.on(new JobEvent.Started(KEY, 1, 1, 1, Duration.ZERO));
    metrics.on(new JobEvent.Failed(KEY, 1, 1, Duration.ofSeconds(1), "no"));
    metrics.on(new JobEvent.Started(KEY, 1, 2, 2, Duration.ZERO));
    metrics.on(new JobEvent.Died(KEY, 1, 2, "no"));

    assertThat(registry.get("once_job_run").tag("outcome", "failed").timer().count()).isEqualTo(1);
    assertThat(registry.get("once_job_run").tag("outcome", "died").timer().count()).isEqualTo(1);
  }

  @Test
  void timesNoJobThatWasNeverStarted() {
    metrics.on(new JobEvent.Returned(KEY, 1, Duration.ZERO, "its worker stops"));

    assertThat(count("returned")).isEqualTo(1);
    assertThat(registry.find("once_job_run").timer()).isNull();
  }

  @Test
  void timesHowLongAJobWaited() {
    metrics.on(new JobEvent.Started(KEY, 1, 1, 1, Duration.ofSeconds(2)));

    assertThat(registry.get("once_job_wait").tag("queue", "mail").timer().max(TimeUnit.SECONDS))
        .isEqualTo(2);
  }

  @Test
  void countsWhatEndangersAllQueues() {
    metrics.on(new JobEvent.Rescued(3));
    metrics.on(new JobEvent.Trouble("claiming jobs", new IllegalStateException("no")));

    assertThat(registry.get("once_jobs_rescued").counter().count()).isEqualTo(3);
    assertThat(registry.get("once_jobs_trouble").counter().count()).isEqualTo(1);
  }

  @Test
  void neverHasAKeyInATag() {
    metrics.on(new JobEvent.Added(KEY, 1));
    metrics.on(new JobEvent.Completed(KEY, 1, 1, 1, Duration.ZERO));

    assertThat(registry.getMeters())
        .isNotEmpty()
        .noneMatch(it -> it.getId().toString().contains("secret"));
  }

  private double count(String event) {
    return registry.get("once_job_events").tags("queue", "mail", "event", event).counter().count();
  }
}
