package dev.once.bench;

import dev.once.inbox.Delivery;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.WebhookResponse;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import java.io.Closeable;
import java.sql.SQLException;

/** Once's inbox with all its providers. No item is processed: only accepting is measured. */
final class OnceInbox implements Closeable {
  private static final Provider STANDARD =
      Provider.standardWebhooks(Sample.TENANT, WebhookSample.SECRET);
  private static final Provider WHATSAPP =
      Provider.whatsApp(Sample.TENANT, WebhookSample.APP_SECRET, "verify-me");

  private final BenchDatabase database;
  private final Jobs jobs;
  private final Inbox inbox;

  OnceInbox(BenchDatabase database) {
    JdbcSchema.apply(database.pool());
    JobsSchema.apply(database.pool());
    InboxSchema.apply(database.pool());
    this.database = database;
    this.jobs = Jobs.over(database.pool());
    this.inbox = Inbox.builder(database.pool(), jobs).provider(STANDARD).provider(WHATSAPP).build();
  }

  Contestant<InboxBenchmark.WebhookReceiver> standard() {
    return new Contestant<>(
        "Once, Standard Webhooks",
        "signature and time checked, payload compared, a job enqueued",
        new InboxBenchmark.WebhookReceiver(
            ids -> receive(STANDARD, WebhookSample.standard(ids.get(0))),
            () -> accepted(STANDARD)));
  }

  Contestant<InboxBenchmark.WebhookReceiver> whatsApp() {
    return new Contestant<>(
        "Once",
        "1 commit for all messages",
        new InboxBenchmark.WebhookReceiver(
            ids -> receive(WHATSAPP, WebhookSample.whatsApp(ids)), () -> accepted(WHATSAPP)));
  }

  private void receive(Provider provider, Delivery delivery) {
    WebhookResponse receipt = inbox.receive(provider.name(), delivery);
    if (receipt.status() != 200) {
      throw new IllegalStateException("not accepted: " + receipt.status());
    }
  }

  /** Checks that records and jobs agree: one without the other would break a promise. */
  private long accepted(Provider provider) throws SQLException {
    long jobCount =
        database.number(
            "SELECT count(*) FROM once_job WHERE queue = '%s'".formatted(Inbox.queueOf(provider)));
    long records = database.completed("scope = 'webhook:%s'".formatted(provider.name()));
    if (jobCount != records) {
      throw new IllegalStateException("%d jobs for %d records".formatted(jobCount, records));
    }
    return records;
  }

  @Override
  public void close() {
    jobs.close();
  }
}
