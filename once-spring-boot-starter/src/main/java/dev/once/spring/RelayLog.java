package dev.once.spring;

import dev.once.events.RelayListener;
import dev.once.events.RelayReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs what relays report. */
final class RelayLog implements RelayListener {
  private static final Logger LOG = LoggerFactory.getLogger(RelayLog.class);

  private final WarningThrottle warnings = new WarningThrottle();

  @Override
  public void report(RelayReport report) {
    LogLine.of(LOG, Level.INFO, "event_publisher.metrics")
        .with("relay", report.relay())
        .with("active", report.active())
        .with("published", report.published())
        .with("late", report.late())
        .with("suppressed", report.suppressed())
        .with("failures", report.failures())
        .with("position", report.position())
        .with("held_since", report.heldSince())
        .write();
  }

  @Override
  public void failed(String relay, Throwable failure) {
    LogLine.of(LOG, warnings.levelOf(relay), "event_publisher.failed")
        .with("relay", relay)
        .cause(failure)
        .write();
  }
}
