package dev.once.cli;

import dev.once.events.EventsSchema;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;

/** The modules that have tables, in the order in which they build on each other. */
@SuppressWarnings("ImmutableEnumChecker") // Its list cannot be modified.
enum SchemaModule {
  RECORDS(JdbcSchema.class, "once_schema", "V1__records.sql"),
  JOBS(JobsSchema.class, "once_job_schema", "V1__jobs.sql"),
  INBOX(InboxSchema.class, "once_inbox_schema", "V1__inbox.sql"),
  EVENTS(EventsSchema.class, "schema_version", "V1__events.sql", "V2__processed_events.sql"),
  WEBHOOKS(WebhooksSchema.class, "once_webhook_schema", "V1__webhooks.sql"),
  WORKFLOWS(WorkflowsSchema.class, "once_workflow_schema", "V1__workflows.sql");

  private final Class<?> home;
  private final String versionTable;
  private final List<String> files;

  SchemaModule(Class<?> home, String versionTable, String... files) {
    this.home = home;
    this.versionTable = versionTable;
    this.files = List.of(files);
  }

  /** One version of a module's tables. */
  record Script(SchemaModule module, int version, String path, String text) {
    /** Returns the name by which tools know this script, such as {@code once_records_1}. */
    String name() {
      return "once_" + module.word() + "_" + version;
    }
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  int version() {
    return files.size();
  }

  /** Returns the modules whose tables this one's refer to. */
  Set<SchemaModule> needs() {
    return switch (this) {
      case RECORDS, JOBS, EVENTS -> Set.of();
      case INBOX, WEBHOOKS -> EnumSet.of(RECORDS, JOBS);
      case WORKFLOWS -> EnumSet.of(JOBS);
    };
  }

  /** Returns the table that says which versions a database has. */
  String versionTable(String eventsSchema) {
    return this == EVENTS ? eventsSchema + "." + versionTable : versionTable;
  }

  void apply(DataSource database, String eventsSchema) {
    switch (this) {
      case RECORDS -> JdbcSchema.apply(database);
      case JOBS -> JobsSchema.apply(database);
      case INBOX -> InboxSchema.apply(database);
      case EVENTS -> EventsSchema.named(eventsSchema).apply(database);
      case WEBHOOKS -> WebhooksSchema.apply(database);
      case WORKFLOWS -> WorkflowsSchema.apply(database);
    }
  }

  /** Returns the scripts from version 1 on; that of events has {@code ${schema}} in it. */
  List<Script> scripts() {
    return files.stream().map(this::script).toList();
  }

  private Script script(String file) {
    String path = home.getPackageName().replace('.', '/') + "/postgresql/" + file;
    try (InputStream in = home.getResourceAsStream("/" + path)) {
      if (in == null) {
        throw new AssertionError("the program lacks " + path);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Script(this, files.indexOf(file) + 1, path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
