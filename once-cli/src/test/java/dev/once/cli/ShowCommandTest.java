package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventRetryPolicy;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import org.junit.jupiter.api.Test;

/** An event and an aggregate, and what became of them. */
class ShowCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final ProcessedEvents registry =
      ProcessedEvents.builder(database.dataSource()).owner("node-1").build();

  @Test
  void printsAnEventAndWhatEachHandlerDid() throws Exception {
    Event event = database.append("e-1", "order.placed", "order", "7");
    handle("projection", event);
    giveUp("mail", event, "no\nroute");
    ProcessedEvent mail = registry.find("mail", "e-1").orElseThrow();
    ProcessedEvent projection = registry.find("projection", "e-1").orElseThrow();

    CliRun run = show("e-1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .containsExactly(
            event.time() + " order/7 sequence=1 kind=event type=order.placed id=e-1 bytes=14",
            "mail state=skipped attempts=1 owner=node-1 fence=%d started=%s finished=%s error=%s"
                .formatted(
                    mail.fence(),
                    mail.startedAt(),
                    mail.finishedAt().orElseThrow(),
                    Text.printable(mail.error().orElseThrow())),
            "projection state=done attempts=1 owner=node-1 fence=%d started=%s finished=%s error=-"
                .formatted(
                    projection.fence(),
                    projection.startedAt(),
                    projection.finishedAt().orElseThrow()));
    assertThat(run.out()).contains("no\\u{a}route");
    assertThat(show("e-1", "--json").lines().get(1))
        .startsWith("{\"handler\":\"mail\",\"state\":\"skipped\",\"attempts\":1,")
        .contains("\"owner\":\"node-1\"", "\"given_up_at\":");
  }

  @Test
  void saysThatNoHandlerHasClaimedAnEvent() {
    database.append("e-1", "order.placed", "order", "7");

    assertThat(show("e-1").lines()).hasSize(2).last().isEqualTo("no handler has claimed it");
    assertThat(show("e-1", "--json").lines()).hasSize(1);
  }

  @Test
  void saysThatAnEventIsUnknown() {
    CliRun run = show("e-9");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("once: the log has no event e-9: check its id and --source\n");
  }

  @Test
  void printsAnAggregateAndHowFarEachHandlerIs() throws Exception {
    Event first = database.append("e-1", "order.placed", "order", "7");
    database.append("e-2", "order.paid", "order", "7");
    database.append("e-3", "order.placed", "order", "8");
    handle("projection", first);

    CliRun run = show("--aggregate", "order", "7");

    assertThat(run.lines()).hasSize(4);
    assertThat(run.lines().subList(2, 4))
        .containsExactly("log last_sequence=2", "projection last_sequence=1");
    assertThat(run.out()).contains("id=e-1 ", "id=e-2 ").doesNotContain("id=e-3 ");
    assertThat(show("--aggregate", "order/7", "--json").lines())
        .last()
        .isEqualTo("{\"handler\":\"projection\",\"last_sequence\":1}");
    assertThat(show("--aggregate", "order/9").err())
        .isEqualTo(
            "once: the log has no events of aggregate order/9: check --aggregate and --source\n");
  }

  private void handle(String handler, Event event) throws Exception {
    try (EventConsumer consumer =
        EventConsumer.named(handler).registry(registry).start((it, execution) -> {})) {
      consumer.submit(event).get();
    }
  }

  private void giveUp(String handler, Event event, String reason) throws Exception {
    try (EventConsumer consumer =
        EventConsumer.named(handler)
            .registry(registry)
            .retries(EventRetryPolicy.SKIP.withAttempts(1))
            .start(
                (it, execution) -> {
                  throw new IllegalStateException(reason);
                })) {
      consumer.submit(event).get();
    }
  }

  private CliRun show(String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "events";
    arguments[1] = "show";
    System.arraycopy(options, 0, arguments, 2, options.length);
    return CliRun.of(database.environment(), arguments);
  }
}
