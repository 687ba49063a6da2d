package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What {@code ./once doctor} finds in a real database, and what it says should be done. */
@Timeout(120)
class DoctorCommandTest {
  /** With the settings of a production server. */
  private static final EmbeddedPostgres POSTGRES = EmbeddedPostgres.builder().durable().start();

  private final PGSimpleDataSource database = POSTGRES.newDatabase("doctor");
  private final Sql sql = new Sql(database);

  @AfterAll
  static void stop() {
    POSTGRES.close();
  }

  @AfterEach
  void dropRole() {
    sql.execute(
        """
        DO $$ BEGIN
          IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'doctor_shop') THEN
            EXECUTE 'DROP OWNED BY doctor_shop; DROP ROLE doctor_shop';
          END IF;
        END $$
        """);
  }

  @Test
  void findsNoProblemInADatabaseThatIsSetUpWell() {
    CliRun applied = once("schema", "apply");
    assertThat(applied.exitCode()).isZero();

    CliRun text = once("doctor");
    CliRun json = once("doctor", "--json");

    assertThat(text.out()).doesNotContain("problem ");
    assertThat(text.exitCode()).as(text.out()).isZero();
    assertThat(text.out())
        .containsPattern("(ok|note) +java +JDK ")
        .containsPattern("ok +database +PostgreSQL ")
        .containsPattern("ok +settings +fsync=")
        .containsPattern("ok +clock +the database's clock is \\d+ ms ")
        .containsPattern("ok +schema +events has version 2")
        .containsPattern("ok +rights +\\w+ may use workflows")
        .containsPattern("ok +purge +0 records, 0 expired");
    assertThat(json.lines())
        .hasSameSizeAs(text.lines().stream().filter(it -> !it.contains("->")).toList())
        .allSatisfy(it -> assertThat(it).startsWith("{\"level\":\"").contains("\"check\":\""));
  }

  @Test
  void saysThatNoDatabaseAnswers() {
    Map<String, String> environment = environment();
    environment.put("DATABASE_URL", "jdbc:postgresql://127.0.0.1:1/none");

    CliRun run = CliRun.of(environment, "doctor");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .containsPattern("problem +database +cannot use the database at .*127.0.0.1:1/none")
        .contains("-> start it, and check that it accepts connections");
  }

  @Test
  void namesTablesThatAreMissingOrOfAnotherRelease() {
    CliRun empty = once("doctor");
    assertThat(empty.exitCode()).isEqualTo(1);
    assertThat(empty.out())
        .containsPattern("problem +schema +the database has no table of Once")
        .contains("-> run ./once schema apply --modules records");

    once("schema", "apply", "--modules", "jobs");
    sql.execute("INSERT INTO once_job_schema (version) VALUES (7)");
    CliRun newer = once("doctor");

    assertThat(newer.exitCode()).isEqualTo(1);
    assertThat(newer.out())
        .containsPattern("problem +schema +jobs has version 7, this release needs 1")
        .contains("-> newer than this release: upgrade this program");
  }

  @Test
  void printsTheGrantsThatARoleLacks() {
    once("schema", "apply");
    sql.execute("CREATE ROLE doctor_shop");
    sql.execute("GRANT SELECT, INSERT, UPDATE ON once_record TO doctor_shop");

    CliRun missing = once("doctor", "--role", "doctor_shop");
    List<String> grants =
        missing.lines().stream()
            .filter(it -> it.contains("-> GRANT "))
            .map(it -> it.replaceFirst(".*-> ", ""))
            .toList();

    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(grants)
        .contains(
            "GRANT DELETE ON once_record TO doctor_shop",
            "GRANT SELECT, TRUNCATE ON once_job_done_3 TO doctor_shop",
            "GRANT USAGE ON SEQUENCE spice_event_registry.processed_event_fence TO doctor_shop");
    grants.forEach(sql::execute);
    CliRun granted = once("doctor", "--role", "doctor_shop");
    assertThat(granted.exitCode()).as(granted.out()).isZero();
  }

  @Test
  void namesFunctionsThatARoleMayNotExecute() {
    once("schema", "apply", "--modules", "records");
    sql.execute("REVOKE EXECUTE ON FUNCTION once_require FROM PUBLIC");
    sql.execute("CREATE ROLE doctor_shop");
    for (String grant : grants()) {
      sql.execute(grant);
    }

    CliRun run = once("doctor", "--role", "doctor_shop");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).containsPattern("problem +rights +doctor_shop may not execute 1 func");
    assertThat(once("doctor", "--role", "nobody_here").out())
        .containsPattern("problem +rights +there is no role nobody_here");
  }

  private static List<String> grants() {
    List<String> grants = new ArrayList<>();
    for (Right it : Right.all()) {
      if (it.module() == SchemaModule.RECORDS) {
        grants.add(it.grant(it.privileges(), "", "doctor_shop"));
      }
    }
    return grants;
  }

  @Test
  void namesSettingsThatBreakPromises() {
    PGSimpleDataSource careless = EmbeddedPostgres.shared().newDatabase("careless");
    CliRun unsafe = CliRun.of(environment(careless), "doctor");
    assertThat(unsafe.out())
        .containsPattern("problem +settings +fsync=off")
        .contains("-> set fsync=on and restart");

    once("schema", "apply", "--modules", "records");
    sql.execute(
        "ALTER ROLE %s IN DATABASE %s SET synchronous_commit = off"
            .formatted(database.getUser(), database.getDatabaseName()));

    CliRun run = once("doctor");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .containsPattern("problem +settings +synchronous_commit=off")
        .contains("-> set synchronous_commit=on");
  }

  @Test
  void noticesThatThePurgeDoesNotKeepUp() {
    once("schema", "apply", "--modules", "records");
    sql.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'acme', 'charges', 'key-' || n, 1, 'completed', 'rerun', 'none:', 1, 1,
          now(), now(), now() - interval '1 hour', '', 0, '', 'none', 0
        FROM generate_series(1, 1001) AS n
        """);

    CliRun run = once("doctor");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .containsPattern("problem +purge +1001 records, 1001 expired")
        .contains("-> run ./once purge");
  }

  @Test
  void comparesClocks() {
    assertThat(ClockCheck.of(Duration.ofMillis(-400)))
        .isEqualTo(Finding.ok("clock", "the database's clock is 400 ms behind this machine's"));
    assertThat(ClockCheck.of(Duration.ofSeconds(2)).level()).isEqualTo(Finding.Level.NOTE);
    assertThat(ClockCheck.of(Duration.ofSeconds(-31)).isProblem()).isTrue();
  }

  private Map<String, String> environment() {
    return environment(database);
  }

  private static Map<String, String> environment(PGSimpleDataSource database) {
    return new TreeMap<>(
        Map.of(
            "DATABASE_URL", String.valueOf(database.getURL()),
            "DATABASE_USER", String.valueOf(database.getUser()),
            "DATABASE_PASSWORD", String.valueOf(database.getPassword())));
  }

  private CliRun once(String... arguments) {
    return CliRun.of(environment(), arguments);
  }
}
