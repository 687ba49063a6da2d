package dev.once.http;

import java.util.Set;

/**
 * Which responses are kept and replayed. A response that is not kept is sent to its client, and the
 * next request with the key executes again.
 *
 * @param classes first digits of the statuses that are kept
 * @param also further statuses that are kept
 * @param never statuses that are not kept although their class is
 */
public record KeptStatuses(Set<Integer> classes, Set<Integer> also, Set<Integer> never) {
  /**
   * Statuses that say nothing about the operation: the client can retry with other credentials,
   * later, or with a header that makes it a different request.
   */
  static final Set<Integer> NOT_EXECUTED = Set.of(401, 403, 408, 412, 425, 428, 429);

  public KeptStatuses {
    classes = Set.copyOf(classes);
    also = Set.copyOf(also);
    never = Set.copyOf(never);
    for (int digit : classes) {
      if (digit < 2 || digit > 5) {
        throw new IllegalArgumentException("class of statuses must be 2 to 5, got " + digit);
      }
    }
    also.forEach(KeptStatuses::check);
    never.forEach(KeptStatuses::check);
  }

  static void check(int status) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status must be 200 to 599, got " + status);
    }
  }

  /** Keeps successes, redirects (many a POST succeeds with a 303) and final refusals. */
  static KeptStatuses successesAndRefusals() {
    return new KeptStatuses(Set.of(2, 3, 4), Set.of(), NOT_EXECUTED);
  }

  static KeptStatuses successesAnd(Set<Integer> refusals) {
    return new KeptStatuses(Set.of(2, 3), refusals, Set.of());
  }

  static KeptStatuses allBut(Set<Integer> never) {
    return new KeptStatuses(Set.of(2, 3, 4, 5), Set.of(), never);
  }

  public boolean contains(int status) {
    return !never.contains(status) && (also.contains(status) || classes.contains(status / 100));
  }
}
