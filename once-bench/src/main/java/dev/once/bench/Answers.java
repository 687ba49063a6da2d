package dev.once.bench;

import java.util.List;
import java.util.Optional;

/**
 * Counts wrong and missing answers among the callers of one key.
 *
 * @param wrong how many callers got an answer that differs from the final one
 * @param silent how many callers got no answer
 */
record Answers(long wrong, long silent) {
  /**
   * Compares the replies with the final answer.
   *
   * @param later the reply to a call made after all others have ended
   */
  static Answers of(List<Reply> replies, Reply later) {
    List<String> answers = replies.stream().flatMap(it -> answer(it).stream()).toList();
    // If the contestant keeps no answer, the first answer that a caller got is the final one.
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
