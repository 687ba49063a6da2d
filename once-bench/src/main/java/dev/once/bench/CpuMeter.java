package dev.once.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Adds up the processor time that is used during the rounds of one contestant. Linux reports it in
 * steps of 10 ms for each process, so one round is too short for a precise value: the time of all
 * rounds is divided by the calls of all rounds.
 */
final class CpuMeter {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final String UNKNOWN = "-";

  private final List<CpuClock> clocks;
  private final double[] nanos;
  private long calls;

  /**
   * @param clocks the first is read last before a round and first after it. This is the JVM's: the
   *     cost of the other readings is then not part of its time
   */
  CpuMeter(List<CpuClock> clocks) {
    this.clocks = List.copyOf(clocks);
    this.nanos = new double[clocks.size()];
  }

  Round measure(Supplier<Round> work) {
    double[] before = new double[nanos.length];
    for (int i = nanos.length - 1; i >= 0; i--) {
      before[i] = clocks.get(i).nanos();
    }
    Round round = work.get();
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] += clocks.get(i).nanos() - before[i];
    }
    calls += round.calls();
    return round;
  }

  /** Returns microseconds by clock, as cells of a table; a dash where there is no reading. */
  List<Object> microsPerCall() {
    return Arrays.stream(nanos).mapToObj(this::microsPerCall).toList();
  }

  private Object microsPerCall(double total) {
    double micros = total / NANOS_PER_MICRO / calls;
    return Double.isNaN(micros) ? UNKNOWN : (Object) micros;
  }
}
