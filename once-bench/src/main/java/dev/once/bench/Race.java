package dev.once.bench;

import java.time.Duration;
import java.util.List;

/**
 * Measures several pieces of work in short alternating rounds (A B C, B C A, C A B, …), in one
 * process and one run, so that a disturbance of the machine affects all of them alike.
 *
 * @param callers how many work at the same time
 * @param round the length of a round
 * @param rounds the number of rounds of each piece of work
 * @param progress gets the progress of the race
 */
record Race(Callers callers, Duration round, int rounds, Progress progress) {
  /** The first second of each piece of work is spent on compiling, planning and filling caches. */
  static final int WARM_UP_ROUNDS = 2;

  /** Measures all work; {@code settle} is called after the warm-up. */
  void run(String title, List<Series> allSeries, Runnable settle) {
    progress.say("%s, %d callers: warm-up".formatted(title, callers.count()));
    for (Series series : allSeries) {
      series.warmUp(callers, round.multipliedBy(WARM_UP_ROUNDS));
    }
    settle.run();
    for (int turn = 0; turn < rounds; turn++) {
      progress.say(
          "%s, %d callers: round %d of %d".formatted(title, callers.count(), turn + 1, rounds));
      for (int i = 0; i < allSeries.size(); i++) {
        allSeries.get((turn + i) % allSeries.size()).measure(callers, round);
      }
    }
  }
}
