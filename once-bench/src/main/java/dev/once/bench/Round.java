package dev.once.bench;

import java.util.Arrays;
import java.util.List;

/** The calls of concurrent callers in a short time. */
final class Round {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] latencies;
  private final double seconds;

  /**
   * @param latencies for each caller, the nanoseconds of each of its calls
   * @param nanos from the start of the first call to the end of the last
   */
  Round(List<long[]> latencies, long nanos) {
    this.latencies = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    this.seconds = nanos / NANOS_PER_SECOND;
    if (this.latencies.length == 0) {
      throw new IllegalStateException("no call finished in " + seconds + " s");
    }
  }

  int calls() {
    return latencies.length;
  }

  double callsPerSecond() {
    return calls() / seconds;
  }

  /** Returns the latency that {@code share} of all calls did not exceed, in milliseconds. */
  double millisWithin(double share) {
    int rank = (int) Math.ceil(share * latencies.length);
    return latencies[Math.max(rank, 1) - 1] / 1e6;
  }
}
