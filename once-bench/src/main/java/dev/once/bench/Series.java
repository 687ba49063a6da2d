package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** One row of a comparison: a piece of work and its measured rounds. */
final class Series {
  private static final double MEDIAN = 0.5;
  private static final double SLOWEST = 0.99;

  private final String name;
  private final Work work;
  private final BackgroundWork beside;
  private final CpuMeter cpu;
  private final List<Round> rounds = new ArrayList<>();
  private long calls;

  Series(String name, Work work) {
    this(name, work, () -> () -> {});
  }

  /** Adds background work that runs only while this work is measured. */
  Series(String name, Work work, BackgroundWork beside) {
    this(name, work, beside, List.of());
  }

  private Series(String name, Work work, BackgroundWork beside, List<CpuClock> clocks) {
    this.name = name;
    this.work = work;
    this.beside = beside;
    this.cpu = new CpuMeter(clocks);
  }

  /** Returns the same work, not measured yet, with the processor time that {@code clocks} read. */
  Series metered(List<CpuClock> clocks) {
    return new Series(name, work, beside, clocks);
  }

  String name() {
    return name;
  }

  /** Works without recording the round, so that code is compiled and caches are filled. */
  void warmUp(Callers callers, Duration time) {
    calls += beside(() -> callers.work(work, time)).calls();
  }

  void measure(Callers callers, Duration time) {
    Round round = beside(() -> cpu.measure(() -> callers.work(work, time)));
    calls += round.calls();
    rounds.add(round);
  }

  /** Runs a round beside the background work. The preparation of that is not measured. */
  private Round beside(Supplier<Round> round) {
    BackgroundWork.Running running = beside.start();
    try (running) {
      return round.get();
    } catch (IllegalStateException e) {
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

  double millisMedian() {
    return median(it -> it.millisWithin(MEDIAN));
  }

  double millisSlowest() {
    return median(it -> it.millisWithin(SLOWEST));
  }

  /** Returns processor time per call in microseconds, over all rounds: a cell for each clock. */
  List<Object> cpuMicros() {
    return cpu.microsPerCall();
  }

  /**
   * Returns how many calls this work makes while the other makes one. Compared round by round,
   * because a disturbance of the machine affects neighbouring rounds alike.
   */
  double speedOver(Series other) {
    return Median.of(ratios(other, Round::callsPerSecond));
  }

  /** Returns the ratio of this work's slowest calls to the other's. */
  double slownessOver(Series other) {
    return Median.of(ratios(other, it -> it.millisWithin(SLOWEST)));
  }

  /** Returns the range of the ratios of which {@link #speedOver} is the median. */
  String speedsOver(Series other) {
    List<Double> ratios = ratios(other, Round::callsPerSecond);
    return String.format(
        Locale.ROOT, "%.2f to %.2f", Collections.min(ratios), Collections.max(ratios));
  }

  private List<Double> ratios(Series other, ToDoubleFunction<Round> value) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      ratios.add(value.applyAsDouble(rounds.get(i)) / value.applyAsDouble(other.rounds.get(i)));
    }
    return ratios;
  }

  private double median(ToDoubleFunction<Round> value) {
    return Median.of(rounds.stream().map(value::applyAsDouble).toList());
  }
}
