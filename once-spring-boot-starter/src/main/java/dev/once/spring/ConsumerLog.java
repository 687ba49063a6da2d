package dev.once.spring;

import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.Event;
import dev.once.events.RegistryOutage;
import dev.once.events.Settlement;
import dev.once.json.Redactor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what consumers of events report. Data and aggregates are never logged, and phone numbers in
 * reasons are masked.
 */
final class ConsumerLog implements ConsumerListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLog.class);

  private final WarningThrottle warnings = new WarningThrottle();

  @Override
  public void on(ConsumerEvent event) {
    if (event instanceof ConsumerEvent.Settled it) {
      settled(it.handler(), it.settlement());
    } else if (event instanceof ConsumerEvent.Failed it) {
      about(Level.INFO, "event.failed", it.handler(), it.event())
          .with("attempt", it.attempt())
          .with("again_in", it.delay())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof ConsumerEvent.Released it) {
      about(Level.INFO, "event.released", it.handler(), it.event())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof ConsumerEvent.Waiting it) {
      about(Level.DEBUG, "event.waiting", it.handler(), it.event())
          .with("reason", it.reason())
          .write();
    } else if (event instanceof ConsumerEvent.LeaseLost it) {
      about(Level.WARN, "event.lease_lost", it.handler(), it.event())
          .with("fence", it.fence())
          .write();
    } else if (event instanceof ConsumerEvent.Unknown it) {
      about(Level.WARN, "event.unknown", it.handler(), it.event())
          .with("fence", it.fence())
          .write();
    } else if (event instanceof ConsumerEvent.Unreadable it) {
      about(Level.WARN, "event.unreadable", it.handler())
          .with("record", it.place())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else {
      state(event);
    }
  }

  private static void settled(String handler, Settlement settlement) {
    Event event = settlement.event();
    if (settlement instanceof Settlement.Handled it) {
      about(Level.DEBUG, "event.handled", handler, event).with("attempt", it.attempt()).write();
    } else if (settlement instanceof Settlement.Duplicate it) {
      about(Level.DEBUG, "event.duplicate", handler, event).with("state", it.state()).write();
    } else if (settlement instanceof Settlement.Stale) {
      about(Level.DEBUG, "event.stale", handler, event).write();
    } else if (settlement instanceof Settlement.Skipped it) {
      about(Level.WARN, "event.skipped", handler, event)
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (settlement instanceof Settlement.Dead it) {
      about(Level.WARN, "event.dead", handler, event)
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (settlement instanceof Settlement.Open) {
      about(Level.DEBUG, "event.open", handler, event).write();
    } else {
      throw new AssertionError("unhandled settlement " + settlement.getClass());
    }
  }

  private void state(ConsumerEvent event) {
    if (event instanceof ConsumerEvent.OutageStarted it) {
      Level level = it.policy() == RegistryOutage.FAIL_FAST ? Level.ERROR : Level.WARN;
      about(level, "events.outage_started", it.handler())
          .with("policy", it.policy())
          .cause(it.cause())
          .write();
    } else if (event instanceof ConsumerEvent.OutageEnded it) {
      about(Level.INFO, "events.outage_ended", it.handler()).write();
    } else if (event instanceof ConsumerEvent.RegistryDisabled it) {
      about(Level.WARN, "events.registry_disabled", it.handler()).with("lost", it.lost()).write();
    } else if (event instanceof ConsumerEvent.Trouble it) {
      about(warnings.levelOf(it.handler() + it.what()), "events.trouble", it.handler())
          .with("what", it.what())
          .cause(it.cause())
          .write();
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static LogLine about(Level level, String name, String handler) {
    return LogLine.of(LOG, level, name).with("handler", handler);
  }

  private static LogLine about(Level level, String name, String handler, Event event) {
    return about(level, name, handler)
        .with("event_id", event.id())
        .with("type", event.content().type())
        .with("sequence", event.sequence());
  }
}
