package dev.once.cli;

import static dev.once.cli.CliRecords.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.State;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records, as an operator sees and changes them. */
@Timeout(120)
class RecordCommandsTest {
  private static final List<String> WHICH = List.of("--tenant", "acme", "--scope", "charges");
  private static final List<String> WHY = List.of("--reason", "ticket 4711", "--actor", "ann");

  private final CliDatabase database = new CliDatabase();
  private final CliRecords application = new CliRecords(database);

  @AfterEach
  void close() {
    application.close();
  }

  @Test
  void showsARecordWithoutItsPayload() {
    application.complete(key("order-1"), "{\"card\":\"4111\"}");

    CliRun text = once(WHICH, "inspect", "order-1");
    CliRun json = once(WHICH, "inspect", "order-1", "--json");

    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out())
        .startsWith("tenant=acme scope=charges key=order-1 state=completed fence=")
        .contains(" attempts=1 recovery=rerun ")
        .endsWith(" correlation=request_id:r-1 outcome=status:201,bytes:15,kept:true\n")
        .doesNotContain("4111");
    assertThat(json.lines())
        .singleElement()
        .asString()
        .startsWith(
            "{\"tenant\":\"acme\",\"scope\":\"charges\",\"key\":\"order-1\",\"key_hash\":\"")
        .contains("\"outcome\":{\"failed\":false,\"status\":201,\"headers\":[\"Location\"]")
        .doesNotContain("/charges/1", "4111");
  }

  @Test
  void showsThePayloadWhenAskedTo() {
    application.complete(key("order-1"), "card\u001b 4111");

    assertThat(once(WHICH, "inspect", "order-1", "--payload").out())
        .endsWith("\nLocation: /charges/1\n\ncard\\u{1b} 4111\n");
    assertThat(once(WHICH, "inspect", "order-1", "--payload", "--json").lines().get(1))
        .isEqualTo(
            "{\"headers\":{\"Location\":\"/charges/1\"},\"payload_base64\":\"Y2FyZBsgNDExMQ==\"}");
  }

  @Test
  void findsRecordsByTenantAndState() {
    application.complete(key("done"), "");
    application.leaveUncertain(key("lost"));
    var unused = application.claim(new Key("zeta", "charges", "held"));

    CliRun uncertain = once(List.of(), "inspect", "--state", "uncertain,failed");
    CliRun zeta = once(List.of(), "inspect", "--tenant", "zeta", "--json");

    assertThat(uncertain.exitCode()).as(uncertain.err()).isZero();
    assertThat(uncertain.lines())
        .singleElement()
        .asString()
        .startsWith("tenant=acme scope=charges key=lost state=uncertain attempts=1 created=");
    assertThat(zeta.lines())
        .singleElement()
        .asString()
        .contains("\"key\":\"held\"", "\"state\":\"in_progress\"");
    CliRun first = once(List.of(), "inspect", "--limit", "1");
    assertThat(first.lines()).hasSize(1);
    assertThat(first.err()).isEqualTo("there may be more: raise --limit\n");
  }

  @Test
  void findsMoreRecordsThanAPageHas() {
    database.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'acme', 'charges', 'key-' || n, 1, 'completed', 'rerun', 'none:', 1, 1,
          now(), now(), now() + interval '1 hour', '', 0, '', 'none', 0
        FROM generate_series(1, 2500) AS n
        """);

    assertThat(once(List.of(), "inspect", "--limit", "5000").lines())
        .hasSize(2500)
        .doesNotHaveDuplicates();
    assertThat(once(List.of(), "inspect", "--limit", "1500").lines()).hasSize(1500);
  }

  @Test
  void releasesAKeyWhoseEffectDidNotHappen() {
    Claim.Granted owner = application.claim(key("order-1"));

    CliRun released = once(WHICH, "release", "order-1", WHY);

    assertThat(released.exitCode()).as(released.err()).isZero();
    assertThat(released.out())
        .isEqualTo("release tenant=acme scope=charges key=order-1 actor=ann reason=ticket 4711\n");
    Claim.Granted next = application.claim(key("order-1"));
    assertThat(next.fence()).isGreaterThan(owner.fence());
    application.store().complete(next, Outcome.completed(Payload.NONE), Duration.ofHours(1));
    CliRun again = once(WHICH, "release", "order-1", WHY);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo(
            "once: the record of key order-1 is completed: only one that is in progress or uncertain"
                + " can be released\n");
  }

  @Test
  void expiresARecordUnlessItsLeaseRuns() {
    application.complete(key("done"), "");
    var unused = application.claim(key("held"));

    CliRun expired = once(WHICH, "expire", "done", WHY, "--json");

    assertThat(expired.exitCode()).as(expired.err()).isZero();
    assertThat(expired.out())
        .startsWith(
            "{\"action\":\"expire\",\"actor\":\"ann\",\"reason\":\"ticket"
                + " 4711\",\"record\":{\"tenant\":\"acme\"");
    assertThat(application.store().find(key("done"))).isEmpty();
    CliRun held = once(WHICH, "expire", "held", WHY);
    assertThat(held.exitCode()).isEqualTo(1);
    assertThat(held.err()).contains("is in_progress: its owner may still work; release it first");
  }

  @Test
  void settlesWhatHappenedWithTheOutcomeThatIsReplayed(@TempDir Path directory) throws Exception {
    application.leaveUncertain(key("order-1"));
    Path body = Files.writeString(directory.resolve("body.json"), "{\"paid\":true}");

    CliRun settled =
        once(
            WHICH,
            "settle",
            "order-1",
            WHY,
            "--happened",
            "--status",
            "201",
            "--outcome-header",
            "Content-Type: application/json",
            "--body-file",
            body.toString());

    assertThat(settled.exitCode()).as(settled.err()).isZero();
    assertThat(settled.out())
        .startsWith("settle tenant=acme scope=charges key=order-1 state=completed ")
        .endsWith("outcome=status:201,bytes:13,kept:true actor=ann reason=ticket 4711\n");
    assertThat(application.store().claim(CliRecords.request(key("order-1"))))
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            it -> {
              assertThat(it.outcome().status()).isEqualTo(201);
              assertThat(it.outcome().headers().first("Content-Type")).contains("application/json");
              assertThat(((Payload.Bytes) it.outcome().payload()).toArray())
                  .isEqualTo("{\"paid\":true}".getBytes(StandardCharsets.UTF_8));
              assertThat(it.correlation().first("request_id")).contains("r-1");
            });
  }

  @Test
  void settlesAFinalFailure() {
    application.leaveUncertain(key("order-1"));

    CliRun settled =
        once(WHICH, "settle", "order-1", WHY, "--happened", "--failed", "--body", "declined");

    assertThat(settled.exitCode()).as(settled.err()).isZero();
    assertThat(application.store().find(key("order-1")).orElseThrow().state())
        .isEqualTo(State.FAILED);
  }

  @Test
  void settlesWhatDidNotHappenSoThatTheNextRequestExecutes() {
    application.leaveUncertain(key("order-1"));
    assertThat(application.store().claim(CliRecords.request(key("order-1"))))
        .isInstanceOf(Claim.Uncertain.class);

    CliRun settled = once(WHICH, "settle", "order-1", WHY, "--did-not-happen");

    assertThat(settled.exitCode()).as(settled.err()).isZero();
    assertThat(application.store().claim(CliRecords.request(key("order-1"))))
        .isInstanceOf(Claim.Granted.class);
    assertThat(once(WHICH, "settle", "order-1", WHY, "--did-not-happen").err())
        .startsWith(
            "once: the record of key order-1 is in_progress: only one that is uncertain can be"
                + " settled");
  }

  @Test
  void purgesExpiredRecordsInBatches() {
    for (int i = 0; i < 5; i++) {
      application.complete(key("old-" + i), "");
    }
    database.execute("UPDATE once_record SET expires_at = now() - interval '1 hour'");
    application.complete(key("new"), "");

    CliRun purged = once(List.of(), "purge", "--batch", "2");

    assertThat(purged.exitCode()).as(purged.err()).isZero();
    assertThat(purged.out()).isEqualTo("removed=5\n");
    assertThat(database.query("SELECT key FROM once_record")).containsExactly("new");
    assertThat(once(List.of(), "purge", "--tenant", "acme", "--json").out())
        .isEqualTo("{\"removed\":0}\n");
  }

  @Test
  void countsRecordsAndJobs() {
    application.complete(key("done"), "");
    application.leaveUncertain(key("lost"));
    database.execute(
        "UPDATE once_record SET created_at = now() - interval '1 hour' WHERE key = 'lost'");

    CliRun stats = once(List.of(), "stats");
    CliRun one = once(List.of(), "stats", "--tenant", "zeta", "--json");

    assertThat(stats.exitCode()).as(stats.err()).isZero();
    assertThat(stats.lines().get(0)).isEqualTo("records entries=2 stale=0");
    assertThat(stats.lines().get(1))
        .startsWith(
            "states in_progress=0 completed=1 failed=0 open=0 uncertain=1 expired=0"
                + " counted-all=true oldest-unfinished=PT1H");
    assertThat(one.lines())
        .singleElement()
        .asString()
        .startsWith("{\"in_progress\":0,")
        .endsWith("\"expired\":0,\"counted_all\":true}");
    assertThat(once(List.of(), "stats", "--rows", "1").err())
        .isEqualTo("there are more records than were counted: raise --rows, up to 10000000\n");
  }

  @Test
  void saysThatThereIsNoSuchRecord() {
    for (String command : List.of("inspect", "release", "expire")) {
      CliRun run = once(WHICH, command, "order-9", command.equals("inspect") ? List.of() : WHY);

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .isEqualTo(
              "once: tenant acme has no record of key order-9 in scope charges: check all three"
                  + " (./once inspect --tenant acme lists its records)\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "inspect order-1",
        "inspect order-1 --tenant acme",
        "inspect --state lost",
        "inspect --limit 0",
        "inspect --scope charges",
        "release order-1 --tenant acme --scope charges",
        "release --tenant acme --scope charges --reason r",
        "expire order-1 --tenant acme --scope charges --reason r --actor=",
        "settle order-1 --tenant acme --scope charges --reason r",
        "settle order-1 --tenant acme --scope charges --reason r --happened --did-not-happen",
        "settle order-1 --tenant acme --scope charges --reason r --did-not-happen --status 201",
        "settle order-1 --tenant acme --scope charges --reason r --happened --status 1000",
        "settle order-1 --tenant acme --scope charges --reason r --happened --keep-hours 0",
        "purge --batch 0",
        "stats --rows 0"
      })
  void printsTheUsageOfACommandThatIsMisused(String line) {
    CliRun run = CliRun.of(database.environment(), line.split(" ", -1));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("once: ")
        .contains("\n\nusage: ./once " + line.split(" ", 2)[0] + " ");
  }

  private CliRun once(List<String> more, String... arguments) {
    return once(more, List.of(arguments));
  }

  private CliRun once(
      List<String> more, String command, String key, List<String> why, String... arguments) {
    List<String> all =
        Stream.of(List.of(command, key), why, List.of(arguments)).flatMap(List::stream).toList();
    return once(more, all);
  }

  private CliRun once(List<String> more, List<String> arguments) {
    return CliRun.of(
        database.environment(),
        Stream.concat(arguments.stream(), more.stream()).toArray(String[]::new));
  }
}
