package dev.once.gateway;

import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxListener;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what becomes of webhooks, and logs what an operator should look at. */
final class WebhookEvents implements InboxListener, JobListener {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookEvents.class);

  private final MeterRegistry registry;

  WebhookEvents(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void on(InboxEvent event) {
    if (event instanceof InboxEvent.Accepted) {
      count("webhook_accepted", "Items that were accepted", event.provider());
    } else if (event instanceof InboxEvent.Duplicate) {
      count("webhook_duplicate", "Items that came again", event.provider());
    } else if (event instanceof InboxEvent.Refused it) {
      count("webhook_refused", "Deliveries that were refused", event.provider());
      LOG.atInfo()
          .addKeyValue("provider", it.provider())
          .addKeyValue("status", it.status())
          .log("webhook.refused");
    } else if (event instanceof InboxEvent.Conflict it) {
      count("webhook_conflict", "Items that came again with another content", it.provider());
      LOG.atWarn()
          .addKeyValue("provider", it.provider())
          .addKeyValue("tenant", it.key().tenant())
          .addKeyValue("key_hash", it.key()::shortHash)
          .log("webhook.conflict");
    } else if (event instanceof InboxEvent.TooLarge it) {
      count("webhook_too_large", "Items that are too large to be processed", it.provider());
      LOG.atWarn()
          .addKeyValue("provider", it.provider())
          .addKeyValue("tenant", it.key().tenant())
          .addKeyValue("key_hash", it.key()::shortHash)
          .log("webhook.too_large");
    }
  }

  @Override
  public void on(JobEvent event) {
    if (event instanceof JobEvent.Completed it) {
      forwarded(it.key().queue(), "taken");
    } else if (event instanceof JobEvent.Failed it) {
      forwarded(it.key().queue(), "failed");
      LOG.atInfo()
          .addKeyValue("queue", it.key().queue())
          .addKeyValue("key_hash", it.key().toKey()::shortHash)
          .addKeyValue("attempt", it.attempt())
          .addKeyValue("again_in", it.delay())
          .addKeyValue("reason", it.reason())
          .log("webhook.forward_failed");
    } else if (event instanceof JobEvent.Died it) {
      forwarded(it.key().queue(), "dead");
      LOG.atWarn()
          .addKeyValue("queue", it.key().queue())
          .addKeyValue("key_hash", it.key().toKey()::shortHash)
          .addKeyValue("reason", it.reason())
          .log("webhook.dead");
    } else if (event instanceof JobEvent.Trouble it) {
      LOG.atWarn().addKeyValue("what", it.what()).setCause(it.cause()).log("job.trouble");
    }
  }

  private void forwarded(String queue, String outcome) {
    Counter.builder("webhook_forwarded")
        .description("Attempts to forward an item to a service, by what became of them")
        .tag("queue", queue)
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }

  private void count(String name, String description, String provider) {
    Counter.builder(name)
        .description(description)
        .tag("provider", provider)
        .register(registry)
        .increment();
  }
}
