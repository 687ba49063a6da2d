package dev.once.cli;

import dev.once.events.RelayListener;
import dev.once.events.RelayReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Prints the reports of a relay. Those of {@link RelayListener#logging} would need a logging
 * library to be in one line.
 */
record RelayPrinter(Session session, OutputOption output) implements RelayListener {
  @Override
  public void report(RelayReport report) {
    output.print(session, () -> now() + " " + report, () -> json(report));
  }

  /** Prints the message alone: a relay that waits for a server fails again and again. */
  @Override
  public void failed(String relay, Throwable failure) {
    Throwable cause = failure.getCause();
    String reason = cause == null ? "" : " (" + CommandException.reason(cause) + ")";
    session.note(
        "%s relay %s failed and tries again: %s%s"
            .formatted(now(), relay, CommandException.reason(failure), reason));
  }

  private static JsonLine json(RelayReport report) {
    return new JsonLine()
        .put("time", now())
        .put("relay", report.relay())
        .put("active", report.active())
        .put("published", report.published())
        .put("late", report.late())
        .put("suppressed", report.suppressed())
        .put("failures", report.failures())
        .put("position", report.position())
        .put("held_since", report.heldSince());
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }
}
