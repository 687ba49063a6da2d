package dev.once.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Measures how long jobs wait for workers that are half busy. */
final class JobLatency {
  /** The fastest setting of each product, and Once with a transaction per job. */
  private static final List<JobContestant> CONTESTANTS =
      List.of(
          JobContestant.ONCE_TOGETHER,
          JobContestant.ONCE_TRANSACTIONAL,
          JobContestant.DB_SCHEDULER,
          JobContestant.JOBRUNR_MANY);

  private static final double HALF = 0.5;
  private static final double SLOWEST = 0.99;
  private static final int MAX_TURNS = 3;

  /** JobRunr polls every five seconds: a measurement has to be longer than that. */
  private static final int ROUNDS_PER_TURN = 10;

  private final JobQueues queues;
  private final Settings settings;
  private final Progress progress;
  private final Table table =
      new Table(
          "From commit to start, workers half busy",
          "offered",
          "contestant",
          "jobs/s",
          "p50 ms",
          "p99 ms",
          "Once's p99 ÷ its",
          "aim",
          "met");

  JobLatency(JobQueues queues, Settings settings, Progress progress) {
    this.queues = queues;
    this.settings = settings;
    this.progress = progress;
  }

  Table run(JobThroughput throughput) throws Exception {
    measure("half of its own speed", it -> HALF * throughput.speed(it));
    double common = HALF * throughput.bestSpeedOfRivals();
    measure("half of the better rival's", it -> common);
    return table;
  }

  private void measure(String load, ToDoubleFunction<JobContestant> jobsPerSecond)
      throws Exception {
    JobPickUp pickUp =
        new JobPickUp(queues.database(), settings.round().multipliedBy(ROUNDS_PER_TURN));
    Map<JobContestant, List<Round>> rounds = new EnumMap<>(JobContestant.class);
    int turns = Math.min(MAX_TURNS, settings.rounds());
    for (int turn = 0; turn < turns; turn++) {
      progress.say("jobs, %s: round %d of %d".formatted(load, turn + 1, turns));
      for (int i = 0; i < CONTESTANTS.size(); i++) {
        JobContestant contestant = CONTESTANTS.get((turn + i) % CONTESTANTS.size());
        rounds
            .computeIfAbsent(contestant, it -> new ArrayList<>())
            .add(pickUp.measure(queues.get(contestant), jobsPerSecond.applyAsDouble(contestant)));
      }
    }
    double once = slowest(Objects.requireNonNull(rounds.get(JobContestant.ONCE_TOGETHER)));
    rounds.forEach((contestant, measured) -> addRow(load, contestant, measured, once));
  }

  private void addRow(String load, JobContestant contestant, List<Round> rounds, double once) {
    double slowest = slowest(rounds);
    table.row(
        load,
        queues.get(contestant).name(),
        median(rounds, Round::callsPerSecond),
        median(rounds, it -> it.millisWithin(HALF)),
        slowest,
        once / slowest,
        Finding.when(
            contestant.isRival(),
            "p99 from commit to start of a job, offered " + load,
            queues.get(contestant).name(),
            once / slowest,
            Aim.atMost(1)));
  }

  private static double slowest(List<Round> rounds) {
    return median(rounds, it -> it.millisWithin(SLOWEST));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
    return Median.of(rounds.stream().map(value::applyAsDouble).toList());
  }
}
