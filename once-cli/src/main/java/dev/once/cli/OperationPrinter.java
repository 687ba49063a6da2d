package dev.once.cli;

import dev.once.client.Advice;
import dev.once.client.Operation;
import dev.once.client.QueuedOperation;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Prints operations of a queue, one line each. */
record OperationPrinter(Session session, Output output) {
  void print(QueuedOperation it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  static String state(QueuedOperation it) {
    return it.state().name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether an operation that failed may have taken effect. */
  static boolean isUnknown(QueuedOperation failed) {
    return failed
        .advice()
        .filter(it -> it == Advice.SEND_AGAIN || it == Advice.CHECK_FIRST)
        .isPresent();
  }

  private static String text(QueuedOperation it) {
    Operation operation = it.operation();
    return "%s state=%s type=%s request=%s %s ordering-key=%s group=%s attempts=%d key=%s next=%s status=%s advice=%s reason=%s"
        .formatted(
            Text.printable(it.id()),
            state(it),
            Text.printable(operation.type()),
            operation.method(),
            Text.printable(operation.uri().toString()),
            printable(operation.orderingKey()),
            printable(it.group()),
            it.attempts(),
            operation.key(),
            it.nextAttemptAt().map(Instant::toString).orElse("-"),
            it.answer().map(answer -> String.valueOf(answer.status())).orElse("-"),
            advice(it).orElse("-"),
            printable(it.reason()));
  }

  private static Optional<String> advice(QueuedOperation it) {
    return it.advice().map(advice -> advice.name().toLowerCase(Locale.ROOT));
  }

  private static String printable(Optional<String> text) {
    return text.map(Text::printable).orElse("-");
  }

  static JsonLine json(QueuedOperation it) {
    Operation operation = it.operation();
    JsonLine line =
        new JsonLine()
            .put("id", it.id())
            .put("key", operation.key())
            .put("state", state(it))
            .put("type", operation.type())
            .put("method", operation.method())
            .put("url", operation.uri().toString())
            .put("orderingKey", operation.orderingKey())
            .put("group", it.group())
            .put("attempts", it.attempts())
            .put("first_sent_at", it.firstSentAt())
            .put("next_attempt_at", it.nextAttemptAt());
    it.answer().ifPresent(answer -> line.put("status", answer.status()));
    return line.put("advice", advice(it)).put("reason", it.reason());
  }
}
