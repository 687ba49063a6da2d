package dev.once.spring;

import dev.once.json.Redactor;
import dev.once.webhooks.WebhookEvent;
import dev.once.webhooks.WebhookListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs each event of webhooks that are sent. URLs and contents are never logged. */
final class WebhookLog implements WebhookListener {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookLog.class);

  @Override
  public void on(WebhookEvent event) {
    if (event instanceof WebhookEvent.Delivered it) {
      about(Level.DEBUG, "webhook.delivered", it)
          .with("message", it.message())
          .with("attempt", it.attempt())
          .write();
    } else if (event instanceof WebhookEvent.Failed it) {
      about(Level.INFO, "webhook.failed", it)
          .with("message", it.message())
          .with("attempt", it.attempt())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof WebhookEvent.Disabled it) {
      about(Level.WARN, "webhook.endpoint_disabled", it)
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof WebhookEvent.Dropped it) {
      about(Level.WARN, "webhook.dropped", it).with("message", it.message()).write();
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static LogLine about(Level level, String name, WebhookEvent event) {
    return LogLine.of(LOG, level, name)
        .with("tenant", event.tenant())
        .with("endpoint", event.endpoint());
  }
}
