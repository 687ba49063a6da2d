package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import dev.once.events.SequenceMode;
import dev.once.s3.S3EventStore;
import dev.once.s3.TestS3;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The log, as an operator reads it. */
@ExtendWith(CliServers.class)
class TailCommandTest {
  private final CliDatabase database = new CliDatabase();

  @Test
  void printsEventsInTheirOrderAndWhereToGoOn() {
    Event first = database.append("e-1", "order.placed", "order", "7");
    Event second = database.append("e-2", "order.paid", "order", "7");

    CliRun run = tail();

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .hasSize(3)
        .startsWith(
            first.time() + " order/7 sequence=1 kind=event type=order.placed id=e-1 bytes=14",
            second.time() + " order/7 sequence=2 kind=event type=order.paid id=e-2 bytes=14");
    assertThat(run.lines().get(2)).matches("next: \\d+:\\d+");
  }

  @Test
  void goesOnAfterAPosition() {
    database.append("e-1", "t", "order", "7");
    database.append("e-2", "t", "order", "7");
    database.append("e-3", "t", "order", "7");
    CliRun first = tail("--limit", "2");
    String next = first.lines().get(2).substring("next: ".length());

    CliRun rest = tail("--after", next);

    assertThat(first.out()).contains("id=e-1 ", "id=e-2 ").doesNotContain("id=e-3 ");
    assertThat(rest.out()).contains("id=e-3 ").doesNotContain("id=e-2 ");
  }

  @Test
  void followsUntilItIsStopped() {
    database.append("e-1", "t", "order", "7");
    CliRun run = CliRun.start(database.environment(), "events", "tail", "--follow");
    run.awaitOut("id=e-1 ");
    database.append("e-2", "t", "order", "7");
    run.awaitOut("id=e-2 ");

    assertThat(run.interrupt()).isEqualTo(130);

    assertThat(run.lines()).hasSize(3).last().asString().startsWith("next: ");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void printsTheEventsOfOneAggregate() {
    database.append("e-1", "t", "order", "7/a b");
    database.append("e-2", "t", "order", "8");
    database.append("e-3", "t", "order", "7/a b");

    CliRun run = tail("--aggregate", "order/7/a b");

    assertThat(run.out()).contains("id=e-1 ", "id=e-3 ").doesNotContain("id=e-2 ");
    assertThat(run.lines()).last().isEqualTo("next: 2");
    assertThat(tail("--aggregate", "order", "7/a b", "--after", "1").lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("id=e-3 ");
    assertThat(tail("--aggregate", "order/8", "--after", "x").err())
        .isEqualTo("once: with --aggregate, --after must be a sequence, got x\n");
  }

  @Test
  void printsJsonForPrograms() {
    EventData command =
        EventData.of("e-1", new Aggregate("order", "7"), "order.place", "{\"total\":1.50}")
            .withKind(EventKind.COMMAND)
            .withMetadata(Map.of("user", "ann"));
    Event event = database.store().append(command).event();

    List<String> lines = tail("--json", "--data").lines();

    assertThat(lines.get(0))
        .isEqualTo(
            """
            {"id":"e-1","aggregate_type":"order","aggregate_id":"7","sequence":1,"time":"%s",\
            "kind":"command","type":"order.place","source":"/once","content_type":"application/json",\
            "bytes":14,"metadata":{"user":"ann"},"data":{"total":1.50}}"""
                .formatted(event.time()));
    assertThat(lines.get(1)).matches("\\{\"next\":\"\\d+:\\d+\"}");
  }

  @Test
  void showsDataOnlyIfItIsWanted() {
    database.append("secret", "t", "order", "7");
    EventData bytes =
        EventData.of("e-2", new Aggregate("order", "8"), "t", "{}")
            .withData("application/octet-stream", new byte[] {(byte) 0xff, 0});
    database.store().append(bytes);

    assertThat(tail().out()).doesNotContain("name");
    assertThat(tail("--json").out()).doesNotContain("name").doesNotContain("data");
    assertThat(tail("--data").out())
        .contains("bytes=17 metadata={} data={\"name\":\"secret\"}\n")
        .contains("bytes=2 metadata={} data=base64:/wA=\n");
    assertThat(tail("--data", "--json").out()).contains("\"data_base64\":\"/wA=\"");
  }

  @Test
  void printsNothingThatControlsATerminal() {
    database.append("e-1", "t", "order", "a\u001b[2J\nb");

    assertThat(tail().lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("order/a\\u{1b}[2J\\u{a}b sequence=1");
  }

  @Test
  void readsAStoreOnS3() {
    S3EventStore store =
        S3EventStore.builder(CliServers.s3().client(), TestS3.BUCKET)
            .prefix("tail")
            .database(database.dataSource())
            .build();
    store.append(EventData.of("e-1", new Aggregate("order", "7"), "order.placed", "{}"));
    Map<String, String> environment = database.environment("S3_PREFIX", "tail");
    environment.putAll(CliServers.s3Environment());

    CliRun run = CliRun.of(environment, "events", "tail", "--source", "s3");

    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("order/7 sequence=1 kind=event type=order.placed id=e-1 bytes=2");
  }

  @Test
  void needsNoDatabaseForALogOnS3WithoutReservations() {
    S3EventStore store =
        S3EventStore.builder(CliServers.s3().client(), TestS3.BUCKET)
            .prefix("listed")
            .sequenceMode(SequenceMode.S3)
            .build();
    store.append(EventData.of("e-1", new Aggregate("order", "7"), "order.placed", "{}"));
    Map<String, String> environment = new TreeMap<>(CliServers.s3Environment());
    environment.put("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "s3");

    CliRun run =
        CliRun.of(
            environment,
            "events",
            "tail",
            "--source",
            "s3",
            "--s3-prefix",
            "listed",
            "--aggregate",
            "order/7");

    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).hasSize(2).first().asString().contains("order/7 sequence=1 ");
  }

  @Test
  void refusesWhatIsNoPosition() {
    CliRun run = tail("--after", "yesterday");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("once: position must be one that this log returned, got yesterday\n");
  }

  private CliRun tail(String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "events";
    arguments[1] = "tail";
    System.arraycopy(options, 0, arguments, 2, options.length);
    return CliRun.of(database.environment(), arguments);
  }
}
