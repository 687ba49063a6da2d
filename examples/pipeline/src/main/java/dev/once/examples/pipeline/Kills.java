package dev.once.examples.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Decides when which part is killed: at moments of the run that depend on the seed, and each part
 * before any is killed again.
 */
final class Kills {
  private final Deque<Integer> moments = new ArrayDeque<>();
  private final Deque<Role> order = new ArrayDeque<>();

  Kills(int events, int kills, long seed) {
    Random random = new Random(seed);
    double span = (double) events / (kills + 1);
    for (int i = 0; i < kills; i++) {
      moments.add((int) (span * (i + 0.3 + random.nextDouble())));
    }
    while (order.size() < kills) {
      List<Role> roles = new ArrayList<>(Parts.workers());
      Collections.shuffle(roles, random);
      order.addAll(roles);
    }
  }

  /** Returns whether enough commands were appended for the next kill. */
  boolean isDue(long appended) {
    return !moments.isEmpty() && appended > moments.getFirst();
  }

  /** Returns the part to kill now, or the next of the order that is ready; null if none is. */
  @org.jspecify.annotations.Nullable
  Part next(List<Part> parts) {
    for (Role role : order) {
      for (Part part : parts) {
        if (part.role() == role && part.isReady()) {
          order.removeFirstOccurrence(role);
          moments.removeFirst();
          return part;
        }
      }
    }
    return null;
  }
}
