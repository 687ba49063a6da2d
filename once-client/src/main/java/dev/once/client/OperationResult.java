package dev.once.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What became of an operation. */
public sealed interface OperationResult {
  Operation operation();

  /** Returns the attempts, in their order. */
  List<Attempt> attempts();

  /** Returns the last answer; empty if there was none. */
  Optional<Answer> lastAnswer();

  /** It took effect, and this is the answer to the request that did it. */
  record Done(Operation operation, Answer answer, List<Attempt> attempts)
      implements OperationResult {
    @Override
    public Optional<Answer> lastAnswer() {
      return Optional.of(answer);
    }
  }

  /** It had taken effect before, and the server repeated its answer. */
  record Replayed(Operation operation, Answer answer, List<Attempt> attempts)
      implements OperationResult {
    @Override
    public Optional<Answer> lastAnswer() {
      return Optional.of(answer);
    }
  }

  /** The server refused it. */
  record Refused(Operation operation, Answer answer, Advice advice, List<Attempt> attempts)
      implements OperationResult {
    @Override
    public Optional<Answer> lastAnswer() {
      return Optional.of(answer);
    }
  }

  /**
   * There is no final answer.
   *
   * @param mayHaveTakenEffect false if it is certain that the server executed nothing
   * @param retryAfter how long the server asked to wait
   */
  record Unknown(
      Operation operation,
      Optional<Answer> lastAnswer,
      boolean mayHaveTakenEffect,
      Advice advice,
      Optional<Duration> retryAfter,
      List<Attempt> attempts)
      implements OperationResult {}
}
