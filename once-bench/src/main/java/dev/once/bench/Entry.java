package dev.once.bench;

import java.util.List;

/** A contestant in a race. */
record Entry(Contestant contestant, Series series) {
  /** Returns a race in which every contestant executes new keys. */
  static List<Entry> executing(Contestants contestants, List<CpuClock> clocks) {
    return contestants.all().stream()
        .map(
            it ->
                new Entry(
                    it, new Series(it.name(), () -> it.execute(Sample.newKey())).metered(clocks)))
        .toList();
  }

  /** Returns a race in which every contestant replays completed keys. */
  static List<Entry> replaying(Contestants contestants, DoneKeys keys, List<CpuClock> clocks) {
    return contestants.all().stream()
        .map(
            it -> new Entry(it, new Series(it.name(), () -> it.replay(keys.any())).metered(clocks)))
        .toList();
  }

  static List<Series> allSeries(List<Entry> entries) {
    return entries.stream().map(Entry::series).toList();
  }

  /** Checks that there is a completed key for each of {@code calls}, so no call was skipped. */
  void requireDone(long calls) {
    long done;
    try {
      done = contestant.done();
    } catch (Exception e) {
      throw new IllegalStateException("cannot count the keys of " + series.name(), e);
    }
    if (done != calls) {
      throw new IllegalStateException(
          "%s made %d calls and left %d keys done".formatted(series.name(), calls, done));
    }
  }
}
