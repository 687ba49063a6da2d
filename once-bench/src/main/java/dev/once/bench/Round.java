package dev.once.bench;

import java.util.Arrays;
import java.util.List;

/**
 * What one contestant did in a short time.
 *
 * @param latencies in nanoseconds, from the shortest to the longest; none if the calls were not
 *     timed one by one
 */
@SuppressWarnings("ArrayRecordComponent") // Instances are never compared.
record Round(long calls, double seconds, long[] latencies) {
  Round {
    if (calls == 0) {
      throw new IllegalStateException("no call finished in " + seconds + " s");
    }
  }

  static Round untimed(long calls, long nanos) {
    return new Round(calls, nanos / 1e9, new long[0]);
  }

  /**
   * Creates a round of timed calls.
   *
   * @param latencies for each caller, the nanoseconds of each of its calls
   * @param nanos from the start of the first call to the end of the last
   */
  static Round timed(List<long[]> latencies, long nanos) {
    long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Round(sorted.length, nanos / 1e9, sorted);
  }

  double callsPerSecond() {
    return calls / seconds;
  }

  /** Returns the latency in milliseconds that {@code share} of all timed calls did not exceed. */
  double millisWithin(double share) {
    if (latencies.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * latencies.length);
    return latencies[Math.max(rank, 1) - 1] / 1e6;
  }
}
