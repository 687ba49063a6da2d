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
    Map<JobContestant, JobLane> noOps = race("does nothing", JobEffect.NOTHING);
    noOps.forEach((contestant, lane) -> speeds.put(contestant, lane.jobsPerSecond()));
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

  private Map<JobContestant, JobLane> race(String work, JobEffect effect)
      throws SQLException, InterruptedException {
    Map<JobContestant, JobLane> lanes = new EnumMap<>(JobContestant.class);
    for (JobContestant contestant : JobContestant.values()) {
      lanes.put(contestant, new JobLane(queues.get(contestant), effect));
    }
    JobBacklog backlog = new JobBacklog(queues.database(), queues.rows(), settings.jobs());
    measure(work, List.copyOf(lanes.values()), backlog);
    JobLane once = Objects.requireNonNull(lanes.get(JobContestant.ONCE_TOGETHER));
    lanes.forEach((contestant, lane) -> addRow(work, contestant, lane, once));
    return lanes;
  }

  private void measure(String work, List<JobLane> lanes, JobBacklog backlog)
      throws SQLException, InterruptedException {
    progress.say("jobs, each %s: warm-up".formatted(work));
    for (JobLane lane : lanes) {
      lane.warmUp(backlog);
    }
    for (int turn = 0; turn < settings.rounds(); turn++) {
      progress.say("jobs, each %s: round %d of %d".formatted(work, turn + 1, settings.rounds()));
      for (int i = 0; i < lanes.size(); i++) {
        lanes.get((turn + i) % lanes.size()).measure(backlog);
      }
    }
  }

  private void addRow(String work, JobContestant contestant, JobLane lane, JobLane once) {
    double ratio = once.speedOver(lane);
    table.row(
        work,
        lane.queue().name(),
        lane.jobsPerSecond(),
        lane.spread(),
        ratio,
        Finding.when(
            contestant.isRival(),
            "a backlog of jobs, each " + work,
            lane.queue().name(),
            ratio,
            Aim.atLeast(AIM)));
  }
}
