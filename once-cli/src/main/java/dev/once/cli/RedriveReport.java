package dev.once.cli;

import dev.once.events.ProcessedEvent;
import java.util.Optional;

/** Prints a line per event, and counts. */
final class RedriveReport {
  private final Session session;
  private final OutputOption output;
  private long redriven;
  private long refused;

  RedriveReport(Session session, OutputOption output) {
    this.session = session;
    this.output = output;
  }

  void accepted(String result, RedriveTarget target) {
    redriven++;
    print(result, target.processed(), Optional.of(target.topic()));
  }

  void refused(String result, ProcessedEvent event) {
    refused++;
    print(result, event, Optional.empty());
  }

  private void print(String result, ProcessedEvent event, Optional<String> topic) {
    output.print(
        session,
        () ->
            "%s %s state=%s attempts=%d topic=%s"
                .formatted(
                    result,
                    Text.printable(event.eventId()),
                    ShowCommand.state(event),
                    event.attempts(),
                    topic.orElse("-")),
        () ->
            new JsonLine()
                .put("result", result)
                .put("event_id", event.eventId())
                .put("handler", event.handler())
                .put("state", ShowCommand.state(event))
                .put("attempts", event.attempts())
                .put("topic", topic));
  }

  void progress() {
    session.note(redriven + " redriven so far");
  }

  /** Prints the counts and returns the exit code. */
  int finish(boolean isDryRun) {
    String name = isDryRun ? "would_redrive" : "redriven";
    output.print(
        session,
        () -> "%s=%d refused=%d".formatted(name, redriven, refused),
        () -> new JsonLine().put(name, redriven).put("refused", refused));
    return refused == 0 ? 0 : Cli.FAILED;
  }
}
