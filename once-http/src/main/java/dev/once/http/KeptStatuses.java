package dev.once.http;

import java.util.Set;

/**
 * Which responses are kept and replayed. A response that is not kept is sent to its client, and the
 * next request with the key executes again. Immutable; {@code KeptStatuses.ofClasses(Set.of(2,
 * 4)).withNever(Set.of(404))}.
 */
public final class KeptStatuses {
  /**
   * Statuses that say nothing about the operation: the client can retry with other credentials,
   * later, or with another header.
   */
  static final Set<Integer> NOT_EXECUTED = Set.of(401, 403, 406, 408, 412, 425, 428, 429);

  private final Set<Integer> classes;
  private final Set<Integer> also;
  private final Set<Integer> never;

  private KeptStatuses(Set<Integer> classes, Set<Integer> also, Set<Integer> never) {
    for (int digit : classes) {
      if (digit < 2 || digit > 5) {
        throw new IllegalArgumentException("class of statuses must be 2 to 5, got " + digit);
      }
    }
    also.forEach(KeptStatuses::check);
    never.forEach(KeptStatuses::check);
    this.classes = Set.copyOf(classes);
    this.also = Set.copyOf(also);
    this.never = Set.copyOf(never);
  }

  /** Keeps the statuses with these first digits. */
  public static KeptStatuses ofClasses(Set<Integer> classes) {
    return new KeptStatuses(classes, Set.of(), Set.of());
  }

  /** Returns the first digits of the statuses that are kept. */
  public Set<Integer> classes() {
    return classes;
  }

  /** Returns the further statuses that are kept. */
  public Set<Integer> also() {
    return also;
  }

  /** Returns the statuses that are not kept although their class is. */
  public Set<Integer> never() {
    return never;
  }

  public KeptStatuses withAlso(Set<Integer> also) {
    return new KeptStatuses(classes, also, never);
  }

  public KeptStatuses withNever(Set<Integer> never) {
    return new KeptStatuses(classes, also, never);
  }

  static void check(int status) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status must be 200 to 599, got " + status);
    }
  }

  /** Keeps successes, redirects (many a POST succeeds with a 303) and final refusals. */
  static KeptStatuses successesAndRefusals() {
    return ofClasses(Set.of(2, 3, 4)).withNever(NOT_EXECUTED);
  }

  static KeptStatuses successesAnd(Set<Integer> refusals) {
    return ofClasses(Set.of(2, 3)).withAlso(refusals);
  }

  static KeptStatuses allBut(Set<Integer> never) {
    return ofClasses(Set.of(2, 3, 4, 5)).withNever(never);
  }

  public boolean contains(int status) {
    return !never.contains(status) && (also.contains(status) || classes.contains(status / 100));
  }
}
