package dev.once.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The rounds of one contestant in a comparison: how it runs them, and what they have measured. */
final class Series {
  static final double P99 = 0.99;

  private final String name;
  private final Callable<Round> measurement;
  private final List<CpuClock> clocks;
  private final double[] cpuNanos;
  private final List<Round> rounds = new ArrayList<>();
  private Session.Call preparation = () -> {};
  private Supplier<String> note = () -> "";
  private Callable<Long> counter = () -> 0L;
  private long countPerCall;
  private long countBefore;
  private long calls;

  Series(String name, Callable<Round> measurement) {
    this(name, measurement, List.of());
  }

  /**
   * @param clocks read the processor time of the rounds. The first is read last before a round and
   *     first after it: this is the JVM's, and the cost of the other readings is not part of it
   */
  Series(String name, Callable<Round> measurement, List<CpuClock> clocks) {
    this.name = name;
    this.measurement = measurement;
    this.clocks = List.copyOf(clocks);
    this.cpuNanos = new double[clocks.size()];
  }

  /** Adds what has to happen before each round. Its processor time is not counted. */
  Series preparedBy(Session.Call prepare) {
    this.preparation = prepare;
    return this;
  }

  /**
   * Lets {@link #takeTurns} check that no call was skipped.
   *
   * @param count counts what is stored
   * @param perCall how much each call adds to it
   */
  Series counting(Callable<Long> count, long perCall) {
    this.counter = count;
    this.countPerCall = perCall;
    return this;
  }

  Series noting(String text) {
    return noting(() -> text);
  }

  /** Adds what a table says about it, known after the rounds. */
  Series noting(Supplier<String> text) {
    this.note = text;
    return this;
  }

  /**
   * Measures several series in short alternating rounds (A B C, B C A, C A B, …), in one process
   * and one run, so that a disturbance of the machine affects all of them alike.
   *
   * @param title starts what is said about the progress
   * @param warmUps the number of rounds of each series that are not recorded
   * @param rounds the number of rounds of each series that are
   * @param settle is called after the warm-up
   */
  static void takeTurns(
      List<Series> all,
      String title,
      int warmUps,
      int rounds,
      Runnable settle,
      Consumer<String> progress)
      throws Exception {
    for (Series series : all) {
      series.countBefore = series.counter.call() - series.countPerCall * series.calls;
    }
    if (warmUps > 0) {
      progress.accept(title + ": warm-up");
    }
    for (Series series : all) {
      for (int i = 0; i < warmUps; i++) {
        series.warmUp();
      }
    }
    settle.run();
    for (int turn = 0; turn < rounds; turn++) {
      progress.accept("%s: round %d of %d".formatted(title, turn + 1, rounds));
      for (int i = 0; i < all.size(); i++) {
        all.get((turn + i) % all.size()).measure();
      }
    }
    for (Series series : all) {
      series.requireCounted();
    }
  }

  private void requireCounted() throws Exception {
    long found = counter.call() - countBefore;
    if (found != countPerCall * calls) {
      throw new IllegalStateException(
          "%s made %d calls, which must add %d each, and added %d"
              .formatted(name, calls, countPerCall, found));
    }
  }

  String name() {
    return name;
  }

  String note() {
    return note.get();
  }

  boolean isOnce() {
    return name.startsWith("Once");
  }

  /** Runs a round without recording it, so that code is compiled and caches are filled. */
  void warmUp() {
    round(() -> {});
  }

  void measure() {
    double[] before = new double[cpuNanos.length];
    Round round =
        round(
            () -> {
              for (int i = before.length - 1; i >= 0; i--) {
                before[i] = clocks.get(i).nanos();
              }
            });
    for (int i = 0; i < before.length; i++) {
      cpuNanos[i] += clocks.get(i).nanos() - before[i];
    }
    rounds.add(round);
  }

  private Round round(Runnable afterPreparation) {
    try {
      preparation.perform();
      afterPreparation.run();
      Round round = measurement.call();
      calls += round.calls();
      return round;
    } catch (Exception e) {
      throw new IllegalStateException(name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the number of all calls, including those of the warm-up. */
  long calls() {
    return calls;
  }

  double callsPerSecond() {
    return median(Round::callsPerSecond);
  }

  /** Returns the latency that {@code share} of the calls did not exceed. */
  double millisWithin(double share) {
    return median(it -> it.millisWithin(share));
  }

  /**
   * Returns how many calls this series makes while the other makes one. Compared round by round,
   * because a disturbance of the machine affects neighbouring rounds alike.
   */
  double over(Series other) {
    return median(ratios(other, Round::callsPerSecond));
  }

  String rangeOver(Series other) {
    List<Double> ratios = ratios(other, Round::callsPerSecond);
    return "%.2f to %.2f".formatted(Collections.min(ratios), Collections.max(ratios));
  }

  /** Returns the ratio of this series' slowest calls to the other's. */
  double p99Over(Series other) {
    return median(ratios(other, it -> it.millisWithin(P99)));
  }

  /**
   * Returns microseconds of processor time per call, one number for each clock. Linux reports it in
   * steps of 10 ms for each process, so one round is too short for a precise value: the time of all
   * rounds is divided by the calls of all rounds.
   */
  String cpuMicros() {
    long measured = rounds.stream().mapToLong(Round::calls).sum();
    return Arrays.stream(cpuNanos)
        .mapToObj(it -> Table.text(it / 1e3 / measured))
        .collect(Collectors.joining(" / "));
  }

  private List<Double> ratios(Series other, ToDoubleFunction<Round> value) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      ratios.add(value.applyAsDouble(rounds.get(i)) / value.applyAsDouble(other.rounds.get(i)));
    }
    return ratios;
  }

  private double median(ToDoubleFunction<Round> value) {
    return median(rounds.stream().map(value::applyAsDouble).toList());
  }

  /** Returns the median: one disturbed round does not move it. */
  static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values to take the median of");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
