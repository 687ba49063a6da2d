package dev.once.bench;

import java.time.Duration;
import java.util.List;

/**
 * Measures lanes in turns of short rounds (A B C, B C A, C A B, …), in one process and one run, so
 * that what else happens on the machine hits all of them alike.
 *
 * @param callers how many work at the same time
 * @param round how long each lane works before it is the next one's turn
 * @param rounds how many turns each lane gets
 * @param progress is told how far the race is
 */
record Race(Callers callers, Duration round, int rounds, Progress progress) {
  /** The first second of a lane is spent on compiling, planning and filling caches. */
  static final int WARM_UP_ROUNDS = 2;

  /** Measures all lanes; {@code settle} is called after the warm-up. */
  void run(String title, List<Lane> lanes, Runnable settle) {
    progress.say("%s, %d callers: warm-up".formatted(title, callers.count()));
    for (Lane lane : lanes) {
      lane.warmUp(callers, round.multipliedBy(WARM_UP_ROUNDS));
    }
    settle.run();
    for (int turn = 0; turn < rounds; turn++) {
      progress.say(
          "%s, %d callers: round %d of %d".formatted(title, callers.count(), turn + 1, rounds));
      for (int i = 0; i < lanes.size(); i++) {
        lanes.get((turn + i) % lanes.size()).measure(callers, round);
      }
    }
  }
}
