package dev.once.spring;

import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the events of jobs, and times their attempts. */
final class JobMetrics implements JobListener {
  private static final List<String> EVENTS =
      List.of("added", "joined", "failed", "returned", "died", "lease_lost");

  private final MeterRegistry registry;
  private final Set<String> queues = ConcurrentHashMap.newKeySet();

  /** When the attempts that run in this process started, by the ids of their jobs. */
  private final Map<Long, Long> startedNanos = new ConcurrentHashMap<>();

  private final Counter rescued;
  private final Counter trouble;

  JobMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.rescued =
        Counter.builder("once_jobs_rescued")
            .description("Jobs that are ready again because their lease expired")
            .register(registry);
    this.trouble =
        Counter.builder("once_jobs_trouble")
            .description("Failures of background work, which is retried")
            .register(registry);
  }

  @Override
  public void on(JobEvent event) {
    if (event instanceof JobEvent.Added it) {
      count(it.key(), "added");
    } else if (event instanceof JobEvent.Joined it) {
      count(it.key(), "joined");
    } else if (event instanceof JobEvent.Started it) {
      startedNanos.put(it.id(), System.nanoTime());
      waiting(it.key()).record(it.age());
    } else if (event instanceof JobEvent.Completed it) {
      startedNanos.remove(it.id());
      timer(it.key(), "completed").record(it.took());
    } else if (event instanceof JobEvent.Failed it) {
      ended(it.key(), it.id(), "failed");
    } else if (event instanceof JobEvent.Returned it) {
      ended(it.key(), it.id(), "returned");
    } else if (event instanceof JobEvent.Died it) {
      ended(it.key(), it.id(), "died");
    } else if (event instanceof JobEvent.LeaseLost it) {
      ended(it.key(), it.id(), "lease_lost");
    } else if (event instanceof JobEvent.Rescued it) {
      rescued.increment(it.jobs());
    } else if (event instanceof JobEvent.Trouble) {
      trouble.increment();
    } else if (!(event instanceof JobEvent.Purged)) { // Purges are logged, not counted.
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private void ended(JobKey key, long id, String event) {
    count(key, event);
    Long started = startedNanos.remove(id);
    if (started != null) { // Otherwise the attempt had not started.
      timer(key, event).record(Duration.ofNanos(System.nanoTime() - started));
    }
  }

  /** Registers all counters of a new queue: an alert on an increase needs a zero before it. */
  private void count(JobKey key, String event) {
    if (queues.add(key.queue())) {
      EVENTS.forEach(it -> counter(key.queue(), it));
    }
    counter(key.queue(), event).increment();
  }

  private Counter counter(String queue, String event) {
    return Counter.builder("once_job_events")
        .description("What happened to jobs")
        .tag("queue", queue)
        .tag("event", event)
        .register(registry);
  }

  private Timer waiting(JobKey key) {
    return Timer.builder("once_job_wait")
        .description("How long jobs waited for an attempt since they were due")
        .tag("queue", key.queue())
        .register(registry);
  }

  private Timer timer(JobKey key, String outcome) {
    return Timer.builder("once_job_run")
        .description("Attempts of jobs by outcome")
        .tag("queue", key.queue())
        .tag("type", key.type())
        .tag("outcome", outcome)
        .register(registry);
  }
}
