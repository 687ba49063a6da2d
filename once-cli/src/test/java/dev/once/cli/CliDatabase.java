package dev.once.cli;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventsSchema;
import dev.once.events.PostgresEventStore;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database with the tables of records, jobs, events, workflows and webhooks, and the environment
 * in which commands find it. All tests share it, one after the other, and each begins with empty
 * tables.
 */
final class CliDatabase {
  private static final PGSimpleDataSource SHARED = create();

  private final PGSimpleDataSource database = SHARED;

  CliDatabase() {
    execute(
        """
        TRUNCATE spice_event_registry.event, spice_event_registry.aggregate_version,
          spice_event_registry.processed_event, spice_event_registry.relay,
          spice_event_registry.sequence_reservation, spice_event_registry.log_time,
          once_record, once_job, once_job_done, once_job_audit, once_workflow_run, once_workflow_entry, once_workflow_signal,
          once_webhook_endpoint, once_inbox_order
        """);
  }

  private static PGSimpleDataSource create() {
    PGSimpleDataSource created = EmbeddedPostgres.shared().newDatabase("cli");
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(created);
    JdbcSchema.apply(created);
    JobsSchema.apply(created);
    WorkflowsSchema.apply(created);
    WebhooksSchema.apply(created);
    InboxSchema.apply(created);
    return created;
  }

  PGSimpleDataSource dataSource() {
    return database;
  }

  PostgresEventStore store() {
    return PostgresEventStore.over(database);
  }

  Map<String, String> environment() {
    return new TreeMap<>(
        Map.of(
            "DATABASE_URL", url(),
            "DATABASE_USER", String.valueOf(database.getUser()),
            "DATABASE_PASSWORD", String.valueOf(database.getPassword())));
  }

  /** Returns the environment with more variables, given as names and values in turn. */
  Map<String, String> environment(String... more) {
    Map<String, String> environment = environment();
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  String url() {
    return String.valueOf(database.getURL());
  }

  /** Appends an event whose data is its id. */
  Event append(String id, String type, String aggregateType, String aggregateId) {
    Aggregate aggregate = new Aggregate(aggregateType, aggregateId);
    EventData data = EventData.of(id, aggregate, type, "{\"name\":\"" + id + "\"}");
    return store().append(data).event();
  }

  void execute(String sql) {
    new Sql(database).execute(sql);
  }

  List<String> query(String sql) {
    return new Sql(database).query(sql);
  }
}
