package dev.once.examples.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Decides when which part is killed: at moments of the run that depend on the seed, and each part
 * before any is killed again. A moment is a part of all effects, so that while one part is down and
 * the others wait for it, no idle part is killed.
 */
final class Kills {
  /** The last kill comes before the last effects. */
  private static final double LAST = 0.9;

  private final Deque<Double> moments = new ArrayDeque<>();
  private final Deque<Role> order = new ArrayDeque<>();

  Kills(int kills, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < kills; i++) {
      moments.add(LAST * (i + random.nextDouble()) / kills);
    }
    while (order.size() < kills) {
      List<Role> roles = new ArrayList<>(Parts.workers());
      Collections.shuffle(roles, random);
      order.addAll(roles);
    }
  }

  /** Returns whether no more parts are killed. */
  boolean isOver() {
    return moments.isEmpty();
  }

  /**
   * Returns the part to kill now, if it is time: the next of the order, or the first after it that
   * is ready.
   *
   * @param progress how many of all effects have happened, from 0 to 1
   */
  Optional<Part> next(double progress, List<Part> parts) {
    if (moments.isEmpty() || progress <= moments.getFirst()) {
      return Optional.empty();
    }
    Optional<Part> next =
        order.stream()
            .flatMap(role -> parts.stream().filter(it -> it.role() == role && it.isReady()))
            .findFirst();
    if (next.isPresent()) {
      order.removeFirstOccurrence(next.get().role());
      moments.removeFirst();
    }
    return next;
  }
}
