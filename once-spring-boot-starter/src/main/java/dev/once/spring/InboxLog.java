package dev.once.spring;

import dev.once.Key;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxListener;
import dev.once.json.Redactor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs each event of the inbox. Keys and contents are never logged, and phone numbers in reasons
 * are masked.
 */
final class InboxLog implements InboxListener {
  private static final Logger LOG = LoggerFactory.getLogger(InboxLog.class);

  @Override
  public void on(InboxEvent event) {
    if (event instanceof InboxEvent.Accepted it) {
      about(Level.DEBUG, "webhook.accepted", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.Duplicate it) {
      about(Level.DEBUG, "webhook.duplicate", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.Conflict it) {
      about(Level.WARN, "webhook.conflict", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.TooLarge it) {
      about(Level.WARN, "webhook.too_large", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.TooOld it) {
      about(Level.WARN, "webhook.too_old", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.Overtaken it) {
      about(Level.DEBUG, "webhook.overtaken", it.provider(), it.type(), it.key()).write();
    } else if (event instanceof InboxEvent.Refuted it) {
      about(Level.WARN, "webhook.refuted", it.provider(), it.type(), it.key())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof InboxEvent.Refused it) {
      LogLine.of(LOG, Level.INFO, "webhook.refused")
          .with("provider", it.provider())
          .with("status", it.status())
          .write();
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static LogLine about(Level level, String event, String provider, String type, Key key) {
    return LogLine.of(LOG, level, event)
        .with("tenant", key.tenant())
        .with("provider", provider)
        .with("type", type)
        .with("key_hash", key::shortHash);
  }
}
