package dev.once.spring;

import dev.once.jobs.JobCensus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** Reports how many jobs each queue has in each state, and how long the oldest ready one waits. */
final class JobGauges implements MeterBinder {
  private static final Map<String, ToDoubleFunction<JobCensus.QueueCounts>> STATES =
      Map.of(
          "ready", JobCensus.QueueCounts::ready,
          "waiting", JobCensus.QueueCounts::waiting,
          "blocked", JobCensus.QueueCounts::blocked,
          "running", JobCensus.QueueCounts::running,
          "dead", JobCensus.QueueCounts::dead);

  private final List<Gauges> registered = new CopyOnWriteArrayList<>();

  /** Queues for which a job was ever counted; those without jobs now show zero. */
  private final Set<String> queues = new ConcurrentSkipListSet<>();

  private record Gauges(MultiGauge jobs, MultiGauge oldest) {}

  @Override
  public void bindTo(MeterRegistry registry) {
    registered.add(
        new Gauges(
            MultiGauge.builder("once_jobs")
                .description("Jobs by queue and state, up to 100000 of each")
                .register(registry),
            MultiGauge.builder("once_jobs_oldest_age")
                .description("How long the oldest ready job has waited")
                .baseUnit("seconds")
                .register(registry)));
  }

  void show(JobCensus census) {
    census.queues().forEach(it -> queues.add(it.queue()));
    show((queue, of) -> of.applyAsDouble(census.queue(queue)));
  }

  /** Shows NaN after a failed count, not the count before. */
  void showNothing() {
    show((queue, of) -> Double.NaN);
  }

  private void show(ToDoubleBiFunction<String, ToDoubleFunction<JobCensus.QueueCounts>> value) {
    List<Row<?>> counts = new ArrayList<>();
    List<Row<?>> ages = new ArrayList<>();
    for (String queue : queues) {
      Tags tags = Tags.of("queue", queue);
      STATES.forEach(
          (state, of) ->
              counts.add(Row.of(tags.and("state", state), value.applyAsDouble(queue, of))));
      ages.add(Row.of(tags, value.applyAsDouble(queue, JobGauges::age)));
    }
    for (Gauges gauges : registered) {
      gauges.jobs().register(counts, true);
      gauges.oldest().register(ages, true);
    }
  }

  private static double age(JobCensus.QueueCounts line) {
    return line.oldestReady().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
