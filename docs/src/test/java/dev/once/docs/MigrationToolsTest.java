package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.EventsSchema;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Flyway and Liquibase create the tables of Once, as docs/operating/postgresql.md says. */
class MigrationToolsTest {
  private static final Page PAGE = Repository.page("docs/operating/postgresql.md");

  @TempDir private Path directory;
  private final PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("migration");

  @Test
  void flywayRunsCopiesBetweenMigrationsOfTheApplication() throws IOException {
    Files.writeString(directory.resolve("V1__orders.sql"), "CREATE TABLE orders (id int);");
    for (List<String> row : PAGE.rows("With Flyway or Liquibase")) {
      Files.write(directory.resolve(unquoted(row.get(2))), resource(unquoted(row.get(1))));
    }
    Files.writeString(directory.resolve("V14__item.sql"), "ALTER TABLE orders ADD item text;");
    Flyway flyway =
        Flyway.configure()
            .dataSource(database)
            .locations("filesystem:" + directory)
            .placeholders(Map.of("schema", EventsSchema.DEFAULT_NAME))
            .load();

    assertThat(flyway.migrate().migrationsExecuted).isEqualTo(9);

    requireTables();
    assertThat(flyway.migrate().migrationsExecuted).isZero();
  }

  @Test
  void liquibaseRunsScriptsOfTheClassPath() throws Exception {
    String ours = PAGE.blocksIn("xml").get(0);
    Files.writeString(directory.resolve("changelog.xml"), changelog(ours));

    for (int run = 0; run < 2; run++) {
      try (Connection connection = database.getConnection();
          Liquibase liquibase =
              new Liquibase(
                  "changelog.xml",
                  new CompositeResourceAccessor(
                      new DirectoryResourceAccessor(directory), new ClassLoaderResourceAccessor()),
                  new JdbcConnection(connection))) {
        liquibase.setChangeLogParameter("schema", EventsSchema.DEFAULT_NAME);
        liquibase.update();
      }
    }

    requireTables();
  }

  /** Returns the changelog of an application, with the change sets of Once between its own. */
  private static String changelog(String ours) {
    return """
      <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
              http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
        <changeSet id="1" author="shop"><sql>CREATE TABLE orders (id int)</sql></changeSet>
        %s
        <changeSet id="2" author="shop"><sql>ALTER TABLE orders ADD item text</sql></changeSet>
      </databaseChangeLog>
      """
        .formatted(ours);
  }

  /** Fails unless the schemas are of this release; applying them again changes nothing. */
  private void requireTables() {
    JdbcSchema.check(database);
    JobsSchema.check(database);
    InboxSchema.check(database);
    WebhooksSchema.check(database);
    WorkflowsSchema.check(database);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).check(database);
    InboxSchema.apply(database);
    WebhooksSchema.apply(database);
    WorkflowsSchema.apply(database);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(database);
  }

  private static String unquoted(String cell) {
    return cell.replace("`", "");
  }

  private static byte[] resource(String path) throws IOException {
    try (InputStream in = JdbcSchema.class.getClassLoader().getResourceAsStream(path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    }
  }
}
