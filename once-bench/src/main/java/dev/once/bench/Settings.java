package dev.once.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How the benchmarks run.
 *
 * @param callers the numbers of callers to measure with
 * @param connections the size of the pool that all contestants share
 * @param round the length of a round
 * @param rounds the number of rounds of each contestant
 * @param rows how many records the large table has
 * @param jobs how many jobs a backlog has
 * @param kills how many times a worker is killed before the backlog is worked off; 0 skips this
 *     measurement, since some contestants take half a minute to detect a dead worker
 * @param httpWarmUp how long each contestant of http works before any is measured
 * @param service the planning service's jar, or the folder that contains it
 * @param forked whether JMH starts a separate JVM for each measurement
 */
record Settings(
    List<Integer> callers,
    int connections,
    Duration round,
    int rounds,
    long rows,
    int jobs,
    int kills,
    Duration httpWarmUp,
    Path service,
    boolean forked) {
  /** Enough to keep two to four processors and a disk busy; more callers share them. */
  private static final int CONNECTIONS = 16;

  /** A Spring application takes this long until the JIT has compiled what requests use. */
  private static final Duration HTTP_WARM_UP = Duration.ofSeconds(25);

  static final Settings DEFAULT =
      new Settings(
          List.of(1, 16, 64, 512),
          CONNECTIONS,
          Duration.ofSeconds(1),
          8,
          100_000,
          20_000,
          5,
          HTTP_WARM_UP,
          PlanningJar.FOLDER,
          true);

  /** Everything in a few minutes, for a first impression: medians of so few rounds are noisy. */
  static final Settings QUICK =
      DEFAULT
          .withCallers(List.of(1, 64, 512))
          .withRound(Duration.ofMillis(150))
          .withRounds(2)
          .withRows(20_000)
          .withJobs(2_000)
          .withKills(0)
          .withHttpWarmUp(Duration.ofMillis(1500));

  Race race(int callerCount, Progress progress) {
    return new Race(new Callers(callerCount), round, rounds, progress);
  }

  /** For work on which more callers than {@code most} add no information. */
  Settings upTo(int most) {
    return withCallers(callers.stream().map(it -> Math.min(it, most)).distinct().toList());
  }

  String describe() {
    return "%s Pool of %d connections, fsync on.".formatted(describeRounds(), connections);
  }

  String describeRounds() {
    return "Median of %d rounds of %.1f s in turns. %s, shared by callers and server."
        .formatted(rounds, round.toMillis() / 1e3, Machine.describe());
  }

  Settings withCallers(List<Integer> callers) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withConnections(int connections) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withRound(Duration round) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withRounds(int rounds) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withRows(long rows) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withJobs(int jobs) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withKills(int kills) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withHttpWarmUp(Duration httpWarmUp) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings withService(Path service) {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, forked);
  }

  Settings unforked() {
    return new Settings(
        callers, connections, round, rounds, rows, jobs, kills, httpWarmUp, service, false);
  }
}
