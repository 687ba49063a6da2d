package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.inbox.InboxItems;
import dev.once.jobs.Jobs;
import dev.once.webhooks.WebhookEndpoints;
import dev.once.webhooks.WebhookSender;

/** Webhooks and their connections. */
record OpenWebhooks(Jobs jobs, HikariDataSource pool) implements AutoCloseable {
  /** Returns where webhooks are sent. */
  WebhookEndpoints endpoints() {
    return WebhookSender.builder(pool, jobs).build().endpoints();
  }

  /** Returns what was received. */
  InboxItems items() {
    return InboxItems.over(pool, jobs);
  }

  @Override
  public void close() {
    jobs.close();
    pool.close();
  }
}
