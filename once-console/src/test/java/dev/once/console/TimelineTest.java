package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Recovery;
import dev.once.console.ConsoleClient.Reply;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.steps.RunId;
import dev.once.webhooks.WebhookMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One timeline for a key or an id across all sections, however many rows there are. */
class TimelineTest {
  private static final String KEY = "order-7";

  private static ConsoleFixture console;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_timeline");
    console.complete(new Key("acme", "api:POST:/orders", KEY), "{}");
    console.uncertain(new Key("acme", "payment_confirmation", KEY));
    console.claim(new Key("acme", "step:ship", "of-" + KEY), Recovery.RERUN);
    console.startRun(new RunId("acme", KEY));
    console.addEndpoint("acme", "shop");
    console.webhooks.send(WebhookMessage.of("acme", KEY, "order.paid", "{}"));
    console.receive("parcels", KEY);
    console.processItems();
    console.jobs.enqueue(
        Job.of(new JobKey("acme", "mail", "receipt", "to-ada"))
            .withCorrelation(Headers.NONE.with("X-Request-Id", "r-" + KEY)));
    long cancelled = console.jobs.enqueue(Job.of(new JobKey("acme", "mail", "offer", KEY))).id();
    console.jobs.admin().cancel("acme", List.of(cancelled), "ann");
    console.giveUpEvent("search", KEY);
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
  }

  @Test
  void showsRequestPaymentRunStepsWebhooksJobsAndEventsOfAKey() throws Exception {
    List<String> entries = all(ConsoleFixture.VIEWER, "timeline?tenant=acme&key=" + KEY);

    assertThat(entries)
        .contains(
            "HTTP request api:POST:/orders completed",
            "payment payment_confirmation uncertain",
            "workflow run ship running",
            "step pack done",
            "webhook webhook:parcels completed",
            "webhook webhook.parcels/webhook done",
            "webhook webhooks/send ready",
            "job mail/offer discarded",
            "event search dead")
        .doesNotHaveDuplicates();
  }

  @Test
  void findsRecordsAndJobsByACorrelationId() throws Exception {
    assertThat(all(ConsoleFixture.VIEWER, "timeline?tenant=acme&key=r-of-" + KEY))
        .containsExactly("step step:ship in_progress");
    assertThat(all(ConsoleFixture.VIEWER, "timeline?tenant=acme&key=r-" + KEY))
        .contains("HTTP request api:POST:/orders completed", "job mail/receipt ready");
  }

  /** The last record of many more than a call reads. */
  @Test
  void findsWhatIsFarBehindInLargeTables() throws Exception {
    console.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'large', 'api:POST:/orders', lpad(n::text, 6, '0'), 1, 'completed', 'rerun', 'none:',
          1, 1, now(), now(), now() + interval '1 day',
          CASE WHEN n %% 9000 = 0 THEN E'X-Request-Id: wanted\n' ELSE '' END, 201, '', 'none', 0
        FROM generate_series(1, 27000) AS n
        """
            .formatted());
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);

    List<JsonNode> pages = pages(viewer, "timeline?tenant=large&key=wanted");

    assertThat(pages.stream().mapToInt(it -> it.get("entries").size()).sum()).isEqualTo(3);
    assertThat(pages.stream().mapToLong(it -> Long.parseLong(it.get("searched").asString())).sum())
        .as("the records, and their one scope")
        .isEqualTo(27_001);
  }

  @Test
  void aCursorOfItsOwnMakingIsRefused() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);
    for (String cursor :
        List.of("nonsense", Cursor.of("-1", ""), Cursor.of("99", ""), Cursor.of("x", ""))) {
      assertThat(viewer.get("timeline?tenant=acme&key=k&after=" + cursor).status()).isEqualTo(400);
    }
  }

  /** Reads all pages, as texts. */
  static List<String> all(String token, String path) throws Exception {
    List<String> entries = new ArrayList<>();
    for (JsonNode page : pages(console.as(token), path)) {
      for (JsonNode it : page.get("entries")) {
        entries.add(
            it.get("module").asString()
                + " "
                + it.get("what").asString()
                + " "
                + it.get("state").asString());
      }
    }
    return entries;
  }

  private static List<JsonNode> pages(ConsoleClient client, String path) throws Exception {
    List<JsonNode> pages = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Reply reply = client.get(next.map(it -> path + "&after=" + it).orElse(path));
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      pages.add(reply.json());
      next = Optional.ofNullable(reply.json().get("next")).map(JsonNode::asString);
    } while (next.isPresent());
    return pages;
  }
}
