package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.inbox.InboxSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.webhooks.WebhooksSchema;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The database of webhooks, and whose webhooks they are. */
final class WebhookOptions {
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  String tenant() {
    return Variables.require("--tenant", tenant);
  }

  OpenWebhooks openEndpoints(Session session) {
    return open(session, WebhooksSchema::check);
  }

  OpenWebhooks openItems(Session session) {
    return open(session, InboxSchema::check);
  }

  private OpenWebhooks open(Session session, Consumer<DataSource> check) {
    HikariDataSource pool =
        database.open(
            session,
            "the tables of webhooks",
            it -> {
              JobsSchema.check(it);
              check.accept(it);
            });
    return new OpenWebhooks(Jobs.over(pool), pool);
  }
}
