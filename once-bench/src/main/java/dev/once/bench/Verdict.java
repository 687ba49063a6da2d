package dev.once.bench;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/**
 * What became of a contestant's keys.
 *
 * @param executions how many effects each key had
 * @param wrong how many callers were told another answer than the one that stands
 * @param silent how many callers were told none
 * @param story what happened, in words
 */
record Verdict(
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

  /** The same with what callers of one more key were told. */
  Verdict plus(Answers answers) {
    return new Verdict(
        situation,
        contestant,
        executions,
        wrong + answers.wrong(),
        silent + answers.silent(),
        story);
  }

  /** Keys whose effect never happened. */
  long lost() {
    return executions.values().stream().filter(it -> it == 0).count();
  }

  /** Effects that happened although their key had had one. */
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
