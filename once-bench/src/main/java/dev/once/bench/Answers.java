package dev.once.bench;

import java.util.List;
import java.util.Optional;

/**
 * What callers of one key were told.
 *
 * @param wrong how many were told another answer than the one that stands
 * @param silent how many were told none
 */
record Answers(long wrong, long silent) {
  /**
   * Compares them.
   *
   * @param later what somebody is told who asks when it is all over
   */
  static Answers of(List<Reply> replies, Reply later) {
    List<String> answers = replies.stream().flatMap(it -> answer(it).stream()).toList();
    // Where no answer is kept, that of the first who was told one has to do.
    String standing = answer(later).or(() -> answers.stream().findFirst()).orElse("");
    return new Answers(
        answers.stream().filter(it -> !it.equals(standing)).count(),
        replies.size() - answers.size());
  }

  static Optional<String> answer(Reply reply) {
    if (reply instanceof Reply.Executed it) {
      return Optional.of(it.answer());
    }
    return reply instanceof Reply.Replayed it ? Optional.of(it.answer()) : Optional.empty();
  }
}
