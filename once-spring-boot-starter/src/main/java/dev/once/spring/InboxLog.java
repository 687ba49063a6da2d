package dev.once.spring;

import dev.once.Key;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxListener;
import dev.once.json.Redactor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs each event of the inbox. The message is the name of the event; the rest are key-values. Keys
 * and contents are never logged, and phone numbers in reasons are masked.
 */
final class InboxLog implements InboxListener {
  private static final Logger LOG = LoggerFactory.getLogger(InboxLog.class);

  @Override
  public void on(InboxEvent event) {
    if (event instanceof InboxEvent.Accepted it) {
      about(Level.DEBUG, it.provider(), it.type(), it.key()).log("webhook.accepted");
    } else if (event instanceof InboxEvent.Duplicate it) {
      about(Level.DEBUG, it.provider(), it.type(), it.key()).log("webhook.duplicate");
    } else if (event instanceof InboxEvent.Conflict it) {
      about(Level.WARN, it.provider(), it.type(), it.key()).log("webhook.conflict");
    } else if (event instanceof InboxEvent.TooLarge it) {
      about(Level.WARN, it.provider(), it.type(), it.key()).log("webhook.too_large");
    } else if (event instanceof InboxEvent.Overtaken it) {
      about(Level.DEBUG, it.provider(), it.type(), it.key()).log("webhook.overtaken");
    } else if (event instanceof InboxEvent.Refuted it) {
      about(Level.WARN, it.provider(), it.type(), it.key())
          .addKeyValue("reason", Redactor.maskPhones(it.reason()))
          .log("webhook.refuted");
    } else if (event instanceof InboxEvent.Refused it) {
      LOG.atInfo()
          .addKeyValue("provider", it.provider())
          .addKeyValue("status", it.status())
          .log("webhook.refused");
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static LoggingEventBuilder about(Level level, String provider, String type, Key key) {
    return LOG.atLevel(level)
        .addKeyValue("tenant", key.tenant())
        .addKeyValue("provider", provider)
        .addKeyValue("type", type)
        .addKeyValue("key_hash", key::shortHash);
  }
}
