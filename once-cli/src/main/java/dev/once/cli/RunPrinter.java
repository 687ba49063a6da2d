package dev.once.cli;

import dev.once.workflow.HistoryEntry;
import dev.once.workflow.RunView;
import dev.once.workflow.WaitReason;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Prints runs of workflows, one line each, and what belongs to one. */
record RunPrinter(Session session, Output output) {
  void print(RunView it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  static String state(RunView it) {
    return it.state().name().toLowerCase(Locale.ROOT);
  }

  private static String text(RunView it) {
    return "%s/%s state=%s workflow=%s version=%d activations=%d cancel-requested=%s started=%s ended=%s failure=%s"
        .formatted(
            Text.printable(it.run().tenant()),
            Text.printable(it.run().value()),
            state(it),
            it.workflow(),
            it.version(),
            it.activations(),
            it.cancelRequested(),
            it.startedAt(),
            time(it.endedAt()),
            it.failure().map(Text::printable).orElse("-"));
  }

  static String text(HistoryEntry it) {
    return "%s %s %s state=%s failed-attempts=%d due=%s started=%s changed=%s failure=%s"
        .formatted(
            it.path(),
            it.kind(),
            Text.printable(it.name()),
            it.state(),
            it.failedAttempts(),
            time(it.dueAt()),
            it.startedAt(),
            it.changedAt(),
            it.failure().map(Text::printable).orElse("-"));
  }

  static String text(WaitReason it) {
    return "waits: %s until=%s".formatted(Text.printable(it.what()), time(it.until()));
  }

  private static String time(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("-");
  }

  static JsonLine json(RunView it) {
    return new JsonLine()
        .put("tenant", it.run().tenant())
        .put("run", it.run().value())
        .put("state", state(it))
        .put("workflow", it.workflow())
        .put("version", it.version())
        .put("activations", it.activations())
        .put("cancel_requested", it.cancelRequested())
        .put("started_at", it.startedAt())
        .put("ended_at", it.endedAt())
        .put("failure", it.failure());
  }

  static JsonLine json(HistoryEntry it) {
    return new JsonLine()
        .put("path", it.path())
        .put("kind", it.kind())
        .put("name", it.name())
        .put("state", it.state())
        .put("failed_attempts", it.failedAttempts())
        .put("due_at", it.dueAt())
        .put("started_at", it.startedAt())
        .put("changed_at", it.changedAt())
        .put("failure", it.failure());
  }

  static JsonLine json(WaitReason it) {
    return new JsonLine().put("waits", it.what()).put("until", it.until());
  }
}
