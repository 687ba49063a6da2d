package dev.once.gateway;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.WebhookHandler;
import dev.once.inbox.servlet.WebhookServlet;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.Workers;
import jakarta.servlet.http.HttpServlet;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Webhooks that the gateway receives: verified and recorded before they are answered, and forwarded
 * to services by jobs. Several gateways on one database share the work.
 */
final class WebhookIntake implements AutoCloseable {
  static final String PATH = "/once/webhooks/*";

  private final List<WebhookSettings> webhooks;
  private final Jobs jobs;
  private final Inbox inbox;
  private @Nullable Workers workers;

  WebhookIntake(List<WebhookSettings> webhooks, DataSource tables, WebhookEvents events) {
    this.webhooks = webhooks;
    List<Provider> providers = webhooks.stream().map(WebhookSettings::provider).toList();
    createTables(tables);
    this.jobs = Jobs.builder(tables).listener(events).build();
    Inbox.Builder builder = Inbox.builder(tables, jobs).listener(events);
    providers.forEach(builder::provider);
    this.inbox = builder.build();
  }

  private static void createTables(DataSource tables) {
    try {
      JobsSchema.check(tables);
      InboxSchema.check(tables);
    } catch (StoreException e) {
      JobsSchema.apply(tables);
      InboxSchema.apply(tables);
    }
  }

  Jobs jobs() {
    return jobs;
  }

  Inbox inbox() {
    return inbox;
  }

  HttpServlet servlet() {
    return new WebhookServlet(inbox);
  }

  /** Begins to forward items. */
  void start(Once once, WebhookForwarder forwarder, Duration drainTime) {
    Workers.Builder handlers = Workers.over(jobs).drain(drainTime);
    for (WebhookSettings it : webhooks) {
      inbox.process(handlers, it.name(), WebhookHandler.leased(once, forwarder.to(it.to())));
    }
    workers = handlers.start();
  }

  /** Waits for the items that are being forwarded. */
  @Override
  public void close() {
    if (workers != null) {
      workers.close();
    }
    jobs.close();
  }
}
