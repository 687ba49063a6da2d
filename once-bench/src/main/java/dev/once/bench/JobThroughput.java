package dev.once.bench;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Backlogs that the contestants work off in rotation (A B C, B C A, C A B, …). */
final class JobThroughput {
  private static final double AIM = 4;

  private final JobQueues queues;
  private final Settings settings;
  private final Progress progress;
  private final Map<JobContestant, Double> speeds = new EnumMap<>(JobContestant.class);
  private final Table table =
      new Table(
              "A backlog is worked off",
              "each job",
              "contestant",
              "jobs/s",
              "in rounds",
              "Once ÷ it",
              "aim",
              "met")
          .charted("jobs/s", "contestant", "each job");

  JobThroughput(JobQueues queues, Settings settings, Progress progress) {
    this.queues = queues;
    this.settings = settings;
    this.progress = progress;
  }

  Table run() throws SQLException, InterruptedException {
    Map<JobContestant, JobSeries> noOps = race("does nothing", JobEffect.NOTHING);
    noOps.forEach((contestant, series) -> speeds.put(contestant, series.jobsPerSecond()));
    race("writes one row", queues.rows());
    return table;
  }

  /** Returns the jobs without an effect that {@code contestant} worked off per second. */
  double speed(JobContestant contestant) {
    return Objects.requireNonNull(speeds.get(contestant));
  }

  /** Returns the same for the fastest of the other products. */
  double bestSpeedOfRivals() {
    return JobContestant.rivals().stream().mapToDouble(this::speed).max().orElseThrow();
  }

  private Map<JobContestant, JobSeries> race(String work, JobEffect effect)
      throws SQLException, InterruptedException {
    Map<JobContestant, JobSeries> allSeries = new EnumMap<>(JobContestant.class);
    for (JobContestant contestant : JobContestant.values()) {
      allSeries.put(contestant, new JobSeries(queues.get(contestant), effect));
    }
    JobBacklog backlog = new JobBacklog(queues.database(), queues.rows(), settings.jobs());
    measure(work, List.copyOf(allSeries.values()), backlog);
    JobSeries once = Objects.requireNonNull(allSeries.get(JobContestant.ONCE_TOGETHER));
    allSeries.forEach((contestant, series) -> addRow(work, contestant, series, once));
    return allSeries;
  }

  private void measure(String work, List<JobSeries> allSeries, JobBacklog backlog)
      throws SQLException, InterruptedException {
    progress.say("jobs, each %s: warm-up".formatted(work));
    for (JobSeries series : allSeries) {
      series.warmUp(backlog);
    }
    for (int turn = 0; turn < settings.rounds(); turn++) {
      progress.say("jobs, each %s: round %d of %d".formatted(work, turn + 1, settings.rounds()));
      for (int i = 0; i < allSeries.size(); i++) {
        allSeries.get((turn + i) % allSeries.size()).measure(backlog);
      }
    }
  }

  private void addRow(String work, JobContestant contestant, JobSeries series, JobSeries once) {
    double ratio = once.speedOver(series);
    table.row(
        work,
        series.queue().name(),
        series.jobsPerSecond(),
        series.spread(),
        ratio,
        Finding.when(
            contestant.isRival(),
            "a backlog of jobs, each " + work,
            series.queue().name(),
            ratio,
            Aim.atLeast(AIM)));
  }
}
