package dev.once.inbox.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.inbox.BodyReader;
import dev.once.inbox.Delivery;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.WebhookReceiver;
import dev.once.inbox.WebhookResponse;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes deliveries to an inbox over PostgreSQL, and records the bodies that were read. */
final class RecordingReceiver implements WebhookReceiver, AutoCloseable {
  static final String TOKEN = "Zk3v-unguessable-7Q";
  private static final int CONNECTIONS = 4;

  final List<String> bodies = new CopyOnWriteArrayList<>();
  final List<InboxEvent> events = new CopyOnWriteArrayList<>();
  volatile Optional<RuntimeException> failure = Optional.empty();

  private final HikariDataSource pool;
  private final Jobs jobs;
  private final Inbox inbox;

  RecordingReceiver() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase("servlet"));
    config.setMaximumPoolSize(CONNECTIONS);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    InboxSchema.apply(pool);
    this.jobs = Jobs.over(pool);
    this.inbox =
        Inbox.builder(pool, jobs)
            .provider(Provider.whatsApp("acme", SampleDeliveries.SECRET, "verify-me"))
            .provider(Provider.gitHub("acme", SampleDeliveries.SECRET))
            .provider(Provider.mtnMomo("acme").withPathToken(TOKEN))
            .listener(events::add)
            .clock(() -> SampleDeliveries.NOW)
            .build();
  }

  @Override
  public WebhookResponse receive(String provider, Delivery head, BodyReader body)
      throws IOException {
    if (failure.isPresent()) {
      throw failure.get();
    }
    return inbox.receive(provider, head, maxBytes -> record(body.read(maxBytes)));
  }

  /** Returns the keys of all items that were accepted. */
  List<String> keys() {
    return new Sql(pool).query("SELECT key FROM once_record");
  }

  private byte[] record(byte[] body) {
    bodies.add(new String(body, UTF_8));
    return body;
  }

  @Override
  public void close() {
    jobs.close();
    pool.close();
  }
}
