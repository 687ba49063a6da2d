package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.EventsSchema;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables of Once, created, checked and printed. */
@Timeout(120)
class SchemaCommandTest {
  private final PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("schema");

  @Test
  void createsAllTablesAndChangesNothingAgain() {
    CliRun applied = schema("apply");
    CliRun again = schema("apply", "--json");

    assertThat(applied.exitCode()).as(applied.err()).isZero();
    assertThat(applied.lines())
        .containsExactly(
            "records version=1 before=0",
            "jobs version=1 before=0",
            "inbox version=1 before=0",
            "events version=2 before=0",
            "webhooks version=1 before=0",
            "workflows version=1 before=0");
    assertThat(again.lines().get(3))
        .isEqualTo("{\"module\":\"events\",\"version\":2,\"before\":2}");
    requireTables();
  }

  @Test
  void createsWhatAModuleNeeds() {
    assertThat(schema("apply", "--modules", "workflows").lines())
        .containsExactly("jobs version=1 before=0", "workflows version=1 before=0");
    assertThat(schema("check").exitCode()).isZero();

    CliRun check = schema("check", "--modules", "jobs,records");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.lines())
        .containsExactly(
            "records version=0 release=1 run ./once schema apply --modules records",
            "jobs version=1 release=1 ok");
  }

  @Test
  void refusesTablesOfANewerRelease() {
    schema("apply", "--modules", "jobs");
    new Sql(database).execute("INSERT INTO once_job_schema (version) VALUES (2)");

    CliRun check = schema("check");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out())
        .contains("jobs version=2 release=1 newer than this release: upgrade this program\n");
    assertThat(schema("apply").err())
        .isEqualTo(
            "once: the schema of Once has version 2, this release knows up to 1: upgrade this node\n");
  }

  @Test
  void printsScriptsThatCreateTheTables() {
    String scripts = schema("print").out();

    new Sql(database).execute(scripts);

    requireTables();
  }

  @ParameterizedTest
  @EnumSource(SchemaModule.class)
  void printsEveryScriptOfAModule(SchemaModule module) throws IOException {
    List<SchemaModule.Script> scripts = module.scripts();
    Path first =
        Path.of("../once-" + directory(module) + "/src/main/resources", scripts.get(0).path());

    try (Stream<Path> files = Files.list(first.resolveSibling(""))) {
      assertThat(files.filter(it -> it.toString().endsWith(".sql"))).hasSameSizeAs(scripts);
    }
  }

  private static String directory(SchemaModule module) {
    return switch (module) {
      case RECORDS -> "jdbc";
      case WORKFLOWS -> "workflow";
      default -> module.word();
    };
  }

  @Test
  void copiesScriptsForFlywayUnderTheNextVersions(@TempDir Path directory) throws IOException {
    String[] print = {
      "print", "--for", "flyway", "--directory", directory.toString(), "--first-version", "7"
    };
    CliRun copied = schema(print);

    assertThat(copied.exitCode()).as(copied.err()).isZero();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(it -> it.getFileName().toString()).sorted())
          .containsExactly(
              "V10__once_events_1.sql",
              "V11__once_events_2.sql",
              "V12__once_webhooks_1.sql",
              "V13__once_workflows_1.sql",
              "V7__once_records_1.sql",
              "V8__once_jobs_1.sql",
              "V9__once_inbox_1.sql");
    }
    assertThat(Files.readString(directory.resolve("V10__once_events_1.sql"))).contains("${schema}");
    CliRun again = schema(print);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("files that exist stay as they are");
  }

  @Test
  void printsChangeSetsForLiquibase() {
    assertThat(schema("print", "--for", "liquibase", "--modules", "jobs").out())
        .isEqualTo(
            """
            <changeSet id="once-jobs-1" author="once">
              <sqlFile path="dev/once/jobs/postgresql/V1__jobs.sql" splitStatements="false"/>
            </changeSet>
            """);
  }

  @Test
  void printsTheUsageOfACommandThatIsMisused() {
    for (String line :
        List.of(
            "",
            "apply --modules tables",
            "print --for flyway",
            "print --for flyway --directory d",
            "print --for flyway --directory d --first-version 0",
            "print --directory d",
            "print --for paper")) {
      CliRun run = schema(line.isEmpty() ? new String[0] : line.split(" ", -1));

      assertThat(run.exitCode()).as(line + run.err()).isEqualTo(2);
      assertThat(run.err()).startsWith("once: ").contains("\n\nusage: ./once schema ");
    }
  }

  private void requireTables() {
    JdbcSchema.check(database);
    JobsSchema.check(database);
    InboxSchema.check(database);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).check(database);
    WebhooksSchema.check(database);
    WorkflowsSchema.check(database);
  }

  private CliRun schema(String... arguments) {
    Map<String, String> environment =
        new TreeMap<>(
            Map.of(
                "DATABASE_URL", String.valueOf(database.getURL()),
                "DATABASE_USER", String.valueOf(database.getUser()),
                "DATABASE_PASSWORD", String.valueOf(database.getPassword())));
    return CliRun.of(
        environment,
        Stream.concat(Stream.of("schema"), Stream.of(arguments)).toArray(String[]::new));
  }
}
