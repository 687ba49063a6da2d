package dev.once.cli;

import dev.once.client.Answer;
import dev.once.client.Attempt;
import dev.once.client.Operation;
import dev.once.client.OperationResult;
import dev.once.client.OperationState;
import dev.once.client.QueueEvent;
import dev.once.client.QueuedOperation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Prints what became of an operation, and knows the exit code for it. */
record ResultPrinter(Session session, Output output) {
  static final int REFUSED = 1;
  static final int UNKNOWN = 3;

  /** Prints the result of a request that was sent without a queue. */
  int print(OperationResult result) {
    Summary summary = Summary.of(result);
    print(summary, result.attempts());
    if (result instanceof OperationResult.Unknown) {
      session.note(
          "once: its outcome is unknown: repeat the command with --key " + summary.operation.key());
    }
    return summary.exitCode();
  }

  /** Prints the result of an operation that has ended in a queue. */
  int print(QueuedOperation ended, boolean isReplayed) {
    Summary summary = Summary.of(ended, isReplayed);
    print(summary, List.of());
    return summary.exitCode();
  }

  /** Prints one line about an operation that has ended in a queue. */
  int printLine(QueueEvent.Ended event) {
    Summary summary = Summary.of(event.operation(), event.isReplayed());
    output.print(session, summary::text, () -> summary.json(List.of()));
    return summary.exitCode();
  }

  private void print(Summary summary, List<Attempt> history) {
    output.print(session, summary::text, () -> summary.json(history));
    if (!output.isJson()) {
      summary.answer.ifPresent(
          it -> it.text().lines().forEach(line -> session.print(Text.printable(line))));
    }
  }

  /** What became of an operation, whichever way it was sent. */
  private record Summary(
      Operation operation,
      String result,
      Optional<Answer> answer,
      int attempts,
      Optional<String> advice,
      Optional<String> reason,
      OptionalInt retryAfterSeconds) {

    static Summary of(OperationResult result) {
      Optional<String> advice = Optional.empty();
      OptionalInt retryAfter = OptionalInt.empty();
      if (result instanceof OperationResult.Refused refused) {
        advice = Optional.of(word(refused.advice()));
      } else if (result instanceof OperationResult.Unknown unknown) {
        advice = Optional.of(word(unknown.advice()));
        retryAfter =
            unknown
                .retryAfter()
                .map(it -> OptionalInt.of((int) it.toSeconds()))
                .orElse(OptionalInt.empty());
      } else if (!(result instanceof OperationResult.Done
          || result instanceof OperationResult.Replayed)) {
        throw new AssertionError("unhandled result " + result);
      }
      List<Attempt> attempts = result.attempts();
      return new Summary(
          result.operation(),
          result.getClass().getSimpleName().toLowerCase(Locale.ROOT),
          result.lastAnswer(),
          attempts.size(),
          advice,
          attempts.isEmpty() ? Optional.empty() : attempts.get(attempts.size() - 1).failure(),
          retryAfter);
    }

    static Summary of(QueuedOperation ended, boolean isReplayed) {
      return new Summary(
          ended.operation(),
          result(ended, isReplayed),
          ended.answer(),
          attempts(ended),
          ended.advice().map(Summary::word),
          ended.reason(),
          OptionalInt.empty());
    }

    /** The queue counts the answers before the last one. */
    private static int attempts(QueuedOperation ended) {
      boolean isDone = ended.state() == OperationState.DONE && ended.answer().isPresent();
      return ended.attempts() + (isDone ? 1 : 0);
    }

    private static String result(QueuedOperation ended, boolean isReplayed) {
      return switch (ended.state()) {
        case DONE -> isReplayed ? "replayed" : "done";
        case FAILED -> OperationPrinter.isUnknown(ended) ? "unknown" : "refused";
        default -> OperationPrinter.state(ended);
      };
    }

    private static String word(Enum<?> it) {
      return it.name().toLowerCase(Locale.ROOT);
    }

    int exitCode() {
      return switch (result) {
        case "done", "replayed" -> 0;
        case "unknown" -> UNKNOWN;
        default -> REFUSED;
      };
    }

    String text() {
      return "result=%s status=%s attempts=%d id=%s key=%s advice=%s reason=%s"
          .formatted(
              result,
              answer.map(it -> String.valueOf(it.status())).orElse("-"),
              attempts,
              Text.printable(operation.id()),
              operation.key(),
              advice.orElse("-"),
              reason.map(Text::printable).orElse("-"));
    }

    JsonLine json(List<Attempt> history) {
      JsonLine line =
          new JsonLine()
              .put("id", operation.id())
              .put("key", operation.key())
              .put("type", operation.type())
              .put("result", result)
              .put("replayed", result.equals("replayed"))
              .put("attempts", attempts);
      answer.ifPresent(it -> line.put("status", it.status()));
      line.put("advice", advice).put("reason", reason);
      retryAfterSeconds.ifPresent(it -> line.put("retry_after_seconds", it));
      if (!history.isEmpty()) {
        line.put("history", array(history));
      }
      answer.ifPresent(it -> putBody(line, it));
      return line;
    }

    private static void putBody(JsonLine line, Answer answer) {
      if (answer.body().length == 0) {
        return;
      }
      try {
        line.putJson("body", answer.body());
      } catch (JacksonException e) {
        line.put("body", answer.text());
      }
    }

    private static ArrayNode array(List<Attempt> history) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (Attempt it : history) {
        JsonLine attempt = new JsonLine().put("number", it.number());
        it.status().ifPresent(status -> attempt.put("status", status));
        attempt
            .put("failure", it.failure())
            .put("sent", it.isSent())
            .put("pause_ms", it.pauseBefore().toMillis())
            .put("time_ms", it.time().toMillis());
        array.add(attempt.node());
      }
      return array;
    }
  }
}
