package dev.once.bench;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/**
 * The result of a trial for a contestant's keys.
 *
 * @param executions how many effects each key had
 * @param wrong how many callers got an answer that differs from the final one
 * @param silent how many callers got no answer
 * @param story what happened, in words
 */
record TrialResult(
    String situation,
    Contestant contestant,
    Map<String, Long> executions,
    long wrong,
    long silent,
    String story) {
  static Table table() {
    return new Table(
        "What becomes of a key",
        "situation",
        "contestant",
        "keys",
        "executions per key, worst",
        "lost",
        "duplicates",
        "wrong answers",
        "aim",
        "met",
        "callers without an answer",
        "what happened");
  }

  /** Returns the same with the answers to callers of one more key. */
  TrialResult plus(Answers answers) {
    return new TrialResult(
        situation,
        contestant,
        executions,
        wrong + answers.wrong(),
        silent + answers.silent(),
        story);
  }

  /** Returns the number of keys without an effect. */
  long lost() {
    return executions.values().stream().filter(it -> it == 0).count();
  }

  /** Returns the number of effects beyond the first of their key. */
  long duplicates() {
    return executions.values().stream().mapToLong(it -> Math.max(0, it - 1)).sum();
  }

  void addTo(Table table) {
    Collection<Long> counts = executions.values();
    table.row(
        situation,
        contestant.name(),
        counts.size(),
        Collections.max(counts),
        lost(),
        duplicates(),
        wrong,
        Finding.when(
            contestant.role() == Contestant.Role.ONCE,
            "%s, lost + duplicates + wrong answers, %s".formatted(contestant.name(), situation),
            "none",
            (double) (lost() + duplicates() + wrong),
            Aim.atMost(0)),
        silent,
        story);
  }
}
