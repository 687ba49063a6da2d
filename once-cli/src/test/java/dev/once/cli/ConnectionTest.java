package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What a command says about servers that are away, empty or locked, and about misuse. */
@ExtendWith(CliServers.class)
class ConnectionTest {
  private final CliDatabase database = new CliDatabase();
  private final String password = String.valueOf(database.dataSource().getPassword());

  @Test
  void asksForAPasswordThatIsMissing() {
    Map<String, String> environment = database.environment();
    environment.remove("DATABASE_PASSWORD");

    CliRun asked = CliRun.withPassword(password, environment, "events", "tail");
    CliRun alone = CliRun.of(environment, "events", "tail");

    assertThat(asked.exitCode()).isZero();
    assertThat(asked.err())
        .isEqualTo("password of " + environment.get("DATABASE_USER") + ": \n")
        .doesNotContain(password);
    assertThat(alone.exitCode()).isEqualTo(1);
    assertThat(alone.err().lines().skip(1)) // The prompt of the test.
        .hasSize(1)
        .first()
        .asString()
        .startsWith("once: cannot use the database at jdbc:postgresql://")
        .endsWith("(check --database-url, --database-user and DATABASE_PASSWORD)");
  }

  @Test
  void saysThatAPasswordIsWrongAndNotWhich() {
    CliRun run = CliRun.of(database.environment("DATABASE_PASSWORD", "guess"), "events", "tail");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("password authentication failed").doesNotContain("guess");
  }

  @Test
  void acceptsNoPasswordOnTheCommandLine() {
    CliRun run =
        CliRun.of(
            database.environment(),
            "events",
            "tail",
            "--database-url",
            "jdbc:postgresql://localhost/events?user=ann&password=guess");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("once: --database-url must have no password")
        .contains("set DATABASE_PASSWORD")
        .doesNotContain("guess");
  }

  @Test
  void saysThatTheDatabaseIsDown() {
    CliRun run =
        CliRun.of(
            database.environment("DATABASE_URL", "jdbc:postgresql://localhost:1/x"),
            "events",
            "tail");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .hasLineCount(1)
        .startsWith("once: cannot use the database at jdbc:postgresql://localhost:1/x: ")
        .contains("refused");
  }

  @Test
  void saysThatTablesAreMissing() {
    PGSimpleDataSource empty = EmbeddedPostgres.shared().newDatabase("empty");

    CliRun run =
        CliRun.of(
            database.environment("DATABASE_URL", String.valueOf(empty.getURL())), "events", "tail");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .hasLineCount(1)
        .startsWith("once: the tables in schema spice_event_registry of jdbc:postgresql://")
        .contains("call EventsSchema.apply");
  }

  @Test
  void readsTheSettingsOfTheEventStore() {
    CliRun other =
        CliRun.of(database.environment("EVENT_STORE_SEQUENCE_SCHEMA", "other"), "events", "tail");
    CliRun bad =
        CliRun.of(
            database.environment("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "redis"), "events", "tail");

    assertThat(other.err()).startsWith("once: the tables in schema other of ");
    assertThat(bad.exitCode()).isEqualTo(1);
    assertThat(bad.err())
        .isEqualTo(
            "once: EVENT_STORE_SEQUENCE_ALLOCATOR_MODE: mode must be postgres, s3, legacy or off,"
                + " got redis\n");
  }

  @Test
  void saysWhatIsWrongWithABucket() {
    assertThat(onS3("S3_BUCKET", "elsewhere").err())
        .isEqualTo(
            "once: S3 at %s has no bucket elsewhere: check --s3-bucket\n"
                .formatted(CliServers.s3().endpoint()));
    assertThat(onS3("AWS_SECRET_ACCESS_KEY", "guess").err())
        .hasLineCount(1)
        .contains("refuses access to bucket events: check AWS_ACCESS_KEY_ID")
        .doesNotContain("guess");
    assertThat(onS3("S3_ENDPOINT", "http://127.0.0.1:1").err())
        .hasLineCount(1)
        .startsWith("once: S3 at http://127.0.0.1:1 does not answer: ")
        .endsWith("(check --s3-endpoint)\n");
    assertThat(onS3("S3_BUCKET", "").err())
        .startsWith("once: --s3-bucket is missing: give it, or set S3_BUCKET\n");
  }

  @Test
  void saysThatKafkaIsDown() {
    CliRun run =
        CliRun.of(
            database.environment("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1"),
            "relay",
            "--topic",
            "t");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .last()
        .asString()
        .startsWith("once: Kafka at 127.0.0.1:1 does not answer: ")
        .endsWith("(check --kafka and --kafka-config)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "events",
        "events tail --tpoic x",
        "events tail --limit 0",
        "events tail --source tape",
        "events show",
        "events show a --aggregate b/c",
        "events redrive --handler a --topic b",
        "events redrive --handler a --topic b --dead --skipped",
        "events check --model a",
        "relay",
        "relay --topic a$b",
        "events tail --aggregate a"
      })
  void printsTheUsageOfACommandThatIsMisused(String line) {
    CliRun run =
        CliRun.of(database.environment(), line.isEmpty() ? new String[0] : line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("once: ");
    String[] words = line.split(" ", -1);
    if (words.length > 1) {
      String command = words[0].equals("relay") ? "relay" : words[0] + " " + words[1];
      assertThat(run.err()).contains("\n\nusage: ./once " + command + " ");
    }
  }

  private CliRun onS3(String name, String value) {
    Map<String, String> environment = new TreeMap<>(database.environment("EVENT_SOURCE", "s3"));
    environment.putAll(CliServers.s3Environment());
    environment.put(name, value);
    CliRun run = CliRun.of(environment, "events", "tail");
    assertThat(run.exitCode()).isIn(1, 2);
    return run;
  }
}
