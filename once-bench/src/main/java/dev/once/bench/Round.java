package dev.once.bench;

import java.util.Arrays;
import java.util.List;

/** What one contestant did in a short time. */
final class Round {
  private final long calls;
  private final double seconds;
  private final long[] latencies;

  private Round(long calls, long nanos, long[] latencies) {
    this.calls = calls;
    this.seconds = nanos / 1e9;
    this.latencies = latencies;
    if (calls == 0) {
      throw new IllegalStateException("no call finished in " + seconds + " s");
    }
  }

  /** Creates a round of calls that were not timed one by one. */
  static Round untimed(long calls, long nanos) {
    return new Round(calls, nanos, new long[0]);
  }

  /**
   * Creates a round of timed calls.
   *
   * @param latencies for each caller, the nanoseconds of each of its calls
   * @param nanos from the start of the first call to the end of the last
   */
  static Round timed(List<long[]> latencies, long nanos) {
    long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Round(sorted.length, nanos, sorted);
  }

  long calls() {
    return calls;
  }

  double callsPerSecond() {
    return calls / seconds;
  }

  /**
   * Returns the latency that {@code share} of all calls did not exceed, in milliseconds; NaN if the
   * calls were not timed.
   */
  double millisWithin(double share) {
    if (latencies.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * latencies.length);
    return latencies[Math.max(rank, 1) - 1] / 1e6;
  }
}
