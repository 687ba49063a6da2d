package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EngineEvent;
import dev.once.Key;
import dev.once.Recovery;
import dev.once.console.ConsoleClient.Reply;
import dev.once.events.ProcessedState;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobQuery;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Schedule;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A user of tenant acme, and another tenant, zeta, that has something in every section: under the
 * same names as acme, and with "zeta" in all its data.
 */
class TenantsTest {
  private static final String ABSENT = "nobody";

  private static ConsoleFixture console;
  private static String letter;
  private static String waiting;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_tenants");
    for (String tenant : List.of("acme", "zeta")) {
      console.complete(new Key(tenant, "orders", "k-1"), "{\"of\":\"" + tenant + "\"}");
      console.uncertain(new Key(tenant, "payments", tenant + "-lost"));
      console.claim(new Key(tenant, "orders", "held"), Recovery.RERUN);
      console.startRun(new RunId(tenant, "run-1"));
      console.addEndpoint(tenant, "shop");
      console.jobs.schedule(
          Schedule.of(tenant, tenant + "-nightly", "0 3 * * *", ZoneOffset.UTC, "night", "clean"));
      console.jobs.enqueue(Job.of(new JobKey(tenant, "print", "page", "k-1")));
    }
    console.receive("parcels", "item-1");
    console.receive("zeta-parcels", "item-1");
    killJobs();
    console.giveUpEvent("search", "zeta-event");
    letter = Long.toString(console.jobs.deadLetters().list(LetterQuery.of("zeta")).get(0).id());
    waiting =
        Long.toString(
            console.jobs.admin().list(JobQuery.of("zeta").inQueue("print")).jobs().get(0).id());
    console
        .jobs
        .admin()
        .postpone("zeta", List.of(Long.valueOf(waiting)), Duration.ofHours(1), "ann of zeta");
    console.rates.on(new EngineEvent.Granted(new Key("zeta", "orders", "k-1"), 1, 1));
  }

  private static void killJobs() {
    RetryPolicy once = RetryPolicy.DEFAULT.withAttempts(1);
    for (String tenant : List.of("acme", "zeta")) {
      console.jobs.enqueue(Job.of(new JobKey(tenant, "mail", "receipt", "k-1")));
    }
    Workers.Builder workers =
        Workers.over(console.jobs)
            .handle(
                "mail",
                "receipt",
                Handler.transactional(
                        (run, it) -> {
                          throw new JobException.GiveUp("refused by " + run.key().tenant());
                        })
                    .withRetries(once));
    console.workUntil(workers, () -> console.jobs.census().queue("mail").dead() == 2);
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
  }

  /** Every view that has a tenant, of things that zeta has. */
  static Stream<String> views() {
    return Stream.of(
        "records?tenant=%s",
        "records?tenant=%s&state=uncertain",
        "records?tenant=%s&key=k-1",
        "records/one?tenant=%s&scope=orders&key=k-1",
        "jobs?tenant=%s",
        "jobs/dead?tenant=%s",
        "jobs/one?tenant=%s&id=LETTER",
        "jobs/one?tenant=%s&id=WAITING",
        "jobs/schedules?tenant=%s",
        "jobs/audit?tenant=%s",
        "runs?tenant=%s",
        "runs/one?tenant=%s&run=run-1",
        "webhooks?tenant=%s",
        "inbox?tenant=%s&provider=zeta-parcels",
        "inbox/providers?tenant=%s",
        "inbox/one?tenant=%s&provider=zeta-parcels&key=item-1",
        "timeline?tenant=%s&key=k-1",
        "timeline?tenant=%s&key=run-1",
        "timeline?tenant=%s&key=item-1");
  }

  @ParameterizedTest
  @MethodSource("views")
  void anotherTenantsViewAnswersLikeThatOfATenantThatHasNothing(String view) throws Exception {
    ConsoleClient acme = console.as(ConsoleFixture.ACME);
    String path = view.replace("LETTER", letter).replace("WAITING", waiting);

    Reply seen = console.as(ConsoleFixture.VIEWER).get(path.formatted("zeta"));
    Reply foreign = acme.get(path.formatted("zeta"));
    Reply absent = acme.get(path.formatted(ABSENT));

    assertThat(seen.status()).as("it is there: " + seen.text()).isEqualTo(200);
    assertThat(foreign).isEqualTo(absent);
    assertThat(foreign.text()).isNotEqualTo(seen.text()).doesNotContain("zeta");
  }

  /** Also where acme's user names no tenant, or its own, or a cursor of zeta. */
  @Test
  void itsOwnViewsHaveNothingOfAnother() throws Exception {
    ConsoleClient acme = console.as(ConsoleFixture.ACME);
    Set<String> paths = new TreeSet<>(Set.of("me", "live", "jobs/queues", "records"));
    views().forEach(it -> paths.add(it.formatted("acme")));
    views().forEach(it -> paths.add(it.replace("tenant=%s", "")));
    paths.add("records?after=" + Cursor.of("zeta", "a", "a"));
    paths.add("timeline?tenant=acme&key=k-1&after=" + Cursor.of("0", Cursor.of("zeta", "a", "a")));

    for (String path : paths) {
      Reply reply = acme.get(path.replace("LETTER", letter).replace("WAITING", waiting));

      assertThat(reply.text()).as(path).doesNotContain("zeta-lost", "of zeta", "zeta-nightly");
      assertThat(reply.text()).as(path).doesNotContain("\"tenant\":\"zeta\"", "by zeta");
    }
    assertThat(acme.get("jobs/queues").values("queues", "queue")).isEmpty();
    assertThat(acme.get("live").json().has("entries")).as("the census of all tenants").isFalse();
    assertThat(acme.get("live").text()).as("zeta's request").doesNotContain("1,", "1]");
    assertThat(acme.get("events").status()).isEqualTo(403);
    assertThat(acme.get("events/one?event=zeta-event").status()).isEqualTo(403);
    assertThat(acme.get("events/given-up?handler=search").status()).isEqualTo(403);
  }

  static Stream<ConsoleAction> actions() {
    return Stream.of(ConsoleAction.values());
  }

  @ParameterizedTest
  @MethodSource("actions")
  void anActionOnAnotherTenantAnswersLikeOneOnNothingAndChangesNothing(ConsoleAction action)
      throws Exception {
    ConsoleClient acme = console.as(ConsoleFixture.ACME);
    List<String> before = state();
    console.audit.clear();

    for (String id : List.of(letter, waiting)) {
      Reply foreign = acme.act(action.word(), body("zeta", id));
      Reply absent = acme.act(action.word(), body(ABSENT, id));

      assertThat(foreign).isEqualTo(absent);
      assertThat(foreign.status()).isEqualTo(404);
      if (action.word().endsWith("-job")) {
        assertThat(acme.act(action.word(), body("acme", id)).status())
            .as("zeta's id under the own tenant")
            .isEqualTo(404);
      }
    }
    assertThat(state()).isEqualTo(before);
  }

  /** An event has no tenant, so naming the own one must not open it. */
  @Test
  void redrivesNoEventInTheNameOfItsOwnTenant() throws Exception {
    ConsoleClient acme = console.as(ConsoleFixture.ACME);

    assertThat(acme.act("redrive-event", body("acme", letter)).status()).isEqualTo(404);
    assertThat(console.events.find("search", "zeta-event").orElseThrow().state())
        .isEqualTo(ProcessedState.DEAD);
  }

  private static Map<String, Object> body(String tenant, String id) {
    Map<String, Object> body = new HashMap<>();
    body.putAll(
        Map.of("tenant", tenant, "id", id, "scope", "orders", "key", "k-1", "run", "run-1"));
    body.putAll(Map.of("endpoint", "shop", "happened", true, "failed", false));
    body.putAll(Map.of("handler", "search", "event", "zeta-event"));
    return body;
  }

  /** Everything of zeta that an action changes. */
  private static List<String> state() {
    return Stream.of(
            "SELECT key || state || fence FROM once_record WHERE tenant = 'zeta' ORDER BY 1",
            "SELECT key || state || run_at FROM once_job WHERE tenant = 'zeta' ORDER BY 1",
            "SELECT state || cancel_requested::text FROM once_workflow_run WHERE tenant = 'zeta'",
            "SELECT id || coalesce(disabled_at::text, '') FROM once_webhook_endpoint WHERE tenant = 'zeta'",
            "SELECT state FROM spice_event_registry.processed_event")
        .flatMap(it -> new Sql(console.pool).query(it).stream())
        .toList();
  }
}
