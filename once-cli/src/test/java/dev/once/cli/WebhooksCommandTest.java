package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.inbox.Delivery;
import dev.once.inbox.Fields;
import dev.once.inbox.Inbox;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import dev.once.jobs.Jobs;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookEndpoints;
import dev.once.webhooks.WebhookSender;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints of webhooks, and webhooks that were received, as an operator sees and changes them. */
@Timeout(120)
class WebhooksCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final Jobs jobs = Jobs.over(database.dataSource());
  private final WebhookEndpoints endpoints =
      WebhookSender.builder(database.dataSource(), jobs).build().endpoints();

  @BeforeEach
  void addEndpoints() {
    for (String tenant : List.of("acme", "zeta")) {
      endpoints.put(
          WebhookEndpoint.of(
                  tenant,
                  "shop",
                  URI.create("https://hooks.example/in/secret-path"),
                  WebhookEndpoint.newSecret())
              .withTypes("order.paid", "order.lost"));
    }
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void listsTheEndpointsOfATenantWithoutTheirPaths() {
    CliRun list = webhooks("list");

    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(list.lines())
        .containsExactly(
            "acme/shop state=active url=https://hooks.example types=order.lost,order.paid ordered=true failing=- disabled=- reason=-");
    assertThat(webhooks("show", "shop", "--json").out())
        .startsWith("{\"tenant\":\"acme\",\"endpoint\":\"shop\",\"state\":\"active\"")
        .doesNotContain("secret-path");
  }

  @Test
  void disablesAndEnablesAnEndpoint() {
    CliRun disabled = change("disable");

    assertThat(disabled.exitCode()).as(disabled.err()).isZero();
    assertThat(disabled.out())
        .isEqualTo("disable tenant=acme endpoint=shop actor=ann reason=ticket 4711\n");
    assertThat(endpoints.find("acme", "shop").orElseThrow().disabledReason())
        .contains("ann (ticket 4711)");
    assertThat(endpoints.find("zeta", "shop").orElseThrow().isDisabled()).isFalse();
    CliRun again = change("disable");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).isEqualTo("once: endpoint shop of tenant acme is disabled already\n");

    assertThat(change("enable").exitCode()).isZero();
    assertThat(endpoints.find("acme", "shop").orElseThrow().isDisabled()).isFalse();
    assertThat(change("enable").err()).contains("is enabled already");
  }

  @Test
  void saysThatThereIsNoSuchEndpoint() {
    CliRun show = webhooks("show", "shpo");

    assertThat(show.exitCode()).isEqualTo(1);
    assertThat(show.err())
        .isEqualTo(
            "once: tenant acme has no endpoint shpo: check both (./once webhooks list --tenant acme)\n");
  }

  @Test
  void printsWhatWasReceived() {
    Inbox inbox =
        Inbox.builder(database.dataSource(), jobs)
            .provider(
                Provider.custom(
                    "parcels", "acme", Signing.checkedBy(it -> true), Fields.none().withId("/id")))
            .build();
    for (String id : List.of("p-1", "p-2")) {
      byte[] body = "{\"id\":\"%s\"}".formatted(id).getBytes(StandardCharsets.UTF_8);
      Map<String, String> headers = Map.of("content-type", "application/json");
      inbox.receive("parcels", new Delivery("POST", List.of(), Map.of(), headers, body));
    }

    CliRun all = webhooks("items", "--provider", "parcels");

    assertThat(all.lines())
        .extracting(it -> it.replaceAll(" (job|received|due)=\\S+", ""))
        .containsExactly(
            "acme/parcels p-1 state=ready attempt=0 reason=-",
            "acme/parcels p-2 state=ready attempt=0 reason=-");
    CliRun first = webhooks("items", "--provider", "parcels", "--limit", "1", "--json");
    assertThat(first.lines()).singleElement().asString().contains("\"item\":\"p-1\"");
    assertThat(first.err()).isEqualTo("there may be more: raise --limit\n");
    assertThat(webhooks("items", "--provider", "parcels", "--state", "dead").lines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "list",
        "show --tenant acme",
        "enable shop --tenant acme",
        "items --tenant acme",
        "items --tenant acme --provider ~",
        "items --tenant acme --provider parcels --state lost",
        "items --tenant acme --provider parcels --limit 0"
      })
  void printsTheUsageOfACommandThatIsMisused(String line) {
    String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);
    CliRun run =
        CliRun.of(
            database.environment(),
            Stream.concat(Stream.of("webhooks"), Stream.of(words)).toArray(String[]::new));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).startsWith("once: ").contains("\n\nusage: ./once webhooks ");
  }

  private CliRun change(String command) {
    return webhooks(command, "shop", "--reason", "ticket 4711", "--actor", "ann");
  }

  private CliRun webhooks(String... arguments) {
    String[] all =
        Stream.of(Stream.of("webhooks"), Stream.of(arguments), Stream.of("--tenant", "acme"))
            .flatMap(it -> it)
            .toArray(String[]::new);
    return CliRun.of(database.environment(), all);
  }
}
