package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.EventData;
import dev.once.s3.S3EventStore;
import dev.once.s3.TestS3;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The relay in the foreground. */
@ExtendWith(CliServers.class)
class RelayCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final String suffix = UUID.randomUUID().toString().substring(0, 8);

  @Test
  void publishesByAggregateTypeAndReports() {
    database.append("e-1", "order.placed", "order", "7");
    database.append("e-2", "user.named", "user", "7");
    Map<String, String> environment = environment();
    environment.put("EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS", "1");

    CliRun relay =
        CliRun.start(environment, "relay", "--name", "r1", "--topic", "{aggregate_type}-" + suffix);

    assertThat(CliServers.published(2, "order-" + suffix, "user-" + suffix))
        .containsExactlyInAnyOrder("order-" + suffix + ":e-1", "user-" + suffix + ":e-2");
    relay.awaitOut(" event_publisher.metrics relay=r1 active=true published=2 late=0 ");
    assertThat(relay.interrupt()).isEqualTo(130);
    assertThat(relay.err().lines())
        .containsExactly("relay r1 is running; Ctrl-C stops it", "relay r1 has ended");
  }

  @Test
  void letsAnotherProcessTakeOverAtOnce() {
    database.append("e-1", "order.placed", "order", "7");
    CliRun first = relay("--json");
    assertThat(CliServers.published(1, suffix)).hasSize(1);

    assertThat(first.interrupt()).isEqualTo(130);
    CliRun second = relay();
    database.append("e-2", "order.placed", "order", "7");

    assertThat(CliServers.published(2, suffix)).containsExactly(suffix + ":e-1", suffix + ":e-2");
    assertThat(second.interrupt()).isEqualTo(130);
    assertThat(database.query("SELECT fence FROM spice_event_registry.relay")).containsExactly("2");
  }

  @Test
  void publishesALogOnS3AndKeepsItsPositionThere() {
    S3EventStore store =
        S3EventStore.builder(CliServers.s3().client(), TestS3.BUCKET)
            .prefix(suffix)
            .database(database.dataSource())
            .build();
    store.append(EventData.of("e-1", new Aggregate("order", "7"), "order.placed", "{}"));
    Map<String, String> environment = environment();
    environment.putAll(CliServers.s3Environment());
    environment.put("S3_PREFIX", suffix);

    CliRun relay = CliRun.start(environment, "relay", "--source", "s3", "--topic", suffix);

    assertThat(CliServers.published(1, suffix)).containsExactly(suffix + ":e-1");
    assertThat(relay.interrupt()).isEqualTo(130);
    assertThat(store.checkpoints().load("relay").recentIds()).containsExactly("e-1");
  }

  private CliRun relay(String... options) {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "relay";
    arguments[1] = "--topic";
    arguments[2] = suffix;
    System.arraycopy(options, 0, arguments, 3, options.length);
    return CliRun.start(environment(), arguments);
  }

  private Map<String, String> environment() {
    return new TreeMap<>(
        database.environment("KAFKA_BOOTSTRAP_SERVERS", CliServers.kafka().bootstrapServers()));
  }
}
