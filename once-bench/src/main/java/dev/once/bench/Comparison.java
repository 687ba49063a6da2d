package dev.once.bench;

import java.util.List;
import java.util.function.Consumer;

/**
 * Measures several series in short alternating rounds (A B C, B C A, C A B, …), in one process and
 * one run, so that a disturbance of the machine affects all of them alike.
 *
 * @param warmUps the number of rounds of each series that are not recorded
 * @param rounds the number of rounds of each series that are
 * @param progress is told about each turn
 */
record Comparison(String title, int warmUps, int rounds, Consumer<String> progress) {
  /** Measures all series; {@code settle} is called after the warm-up. */
  void run(List<Series> all, Runnable settle) throws Exception {
    for (Series series : all) {
      series.startCount();
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
}
