package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Request;
import dev.once.console.ConsoleClient.Reply;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs, workflow runs, webhooks and events, over HTTP. */
class JobsApiTest {
  private static ConsoleFixture console;
  private static Once once;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_jobs");
    once = Once.over(console.store);
    Workers.Builder workers =
        Workers.over(console.jobs)
            .queue(Queue.named("mail"))
            .handle(
                "mail",
                "transactional",
                Handler.transactional((run, connection) -> fail())
                    .withRetries(RetryPolicy.DEFAULT.withAttempts(1)))
            .handle(
                "mail",
                "leased",
                Handler.leased(once, run -> fail())
                    .withRetries(RetryPolicy.DEFAULT.withAttempts(1)));
    for (String tenant : new String[] {"acme", "zeta"}) {
      for (String type : new String[] {"transactional", "leased"}) {
        console.jobs.enqueue(
            Job.of(new JobKey(tenant, "mail", type, "to-ada")).withText("{\"token\":\"t-1\"}"));
      }
    }
    console.workUntil(workers, () -> dead("acme").values("jobs", "id").size() == 2);
    console.jobs.enqueue(Job.of(new JobKey("acme", "print", "page", "waits")));
    console.startRun(new RunId("acme", "ship-1"));
    console.addEndpoint("acme", "shop");
  }

  private static void fail() throws JobException.GiveUp {
    throw new JobException.GiveUp("no such mailbox: +49 170 1234567");
  }

  @AfterAll
  static void stop() throws Exception {
    once.close();
    console.close();
  }

  @Test
  void tellsWhetherADeadLetterIsSafeToRetry() throws Exception {
    assertThat(letter("transactional").json().get("effect").asString()).isEqualTo("no effect");

    JobKey leased = new JobKey("acme", "mail", "leased", "to-ada");
    String before = letter("leased").json().get("effect").asString();
    console.store.expire(leased.toKey());
    String without = letter("leased").json().get("effect").asString();
    once.run(Request.of(leased.toKey(), Codec.nothing()), execution -> null);
    String completed = letter("leased").json().get("effect").asString();

    assertThat(before).as("after an attempt that gave up").isIn("no effect", "unknown");
    assertThat(without).as("without a record").isEqualTo("unknown");
    assertThat(completed).as("with a record that is completed").isEqualTo("done");
  }

  @Test
  void hidesWhatAFailureQuotes() throws Exception {
    String path = "jobs/dead?tenant=acme";

    assertThat(console.as(ConsoleFixture.VIEWER).get(path).text()).doesNotContain("mailbox");
    assertThat(console.as(ConsoleFixture.READER).get(path).text())
        .contains("no such mailbox")
        .doesNotContain("1234567");
    assertThat(console.as(ConsoleFixture.OPERATOR).get(path).text()).contains("1234567");
  }

  @Test
  void changesJobsAndRecordsByWhom() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);
    String id = operator.get("jobs?tenant=acme&queue=print").values("jobs", "id").get(0);

    assertThat(operator.act("run-job", Map.of("tenant", "acme", "id", id)).status()).isEqualTo(200);
    assertThat(operator.act("retry-job", Map.of("tenant", "acme", "id", id)).status())
        .isEqualTo(409);
    assertThat(operator.act("cancel-job", Map.of("tenant", "acme", "id", id)).status())
        .isEqualTo(200);
    assertThat(operator.act("cancel-job", Map.of("tenant", "acme", "id", id)).status())
        .isEqualTo(404);
    assertThat(operator.get("jobs/audit?tenant=acme").values("audit", "actor"))
        .contains("ada (ticket 7)");
  }

  @Test
  void retriesADeadLetterOfItsOwnTenantAlone() throws Exception {
    String foreign = dead("zeta").values("jobs", "id").get(0);
    ConsoleClient acme = console.as(ConsoleFixture.ACME);

    assertThat(acme.act("discard-job", Map.of("tenant", "acme", "id", foreign)).status())
        .isEqualTo(404);
    assertThat(acme.get("jobs/one?tenant=zeta&id=" + foreign))
        .isEqualTo(acme.get("jobs/one?tenant=zeta&id=999999"));
    assertThat(acme.get("jobs/dead?tenant=zeta")).isEqualTo(acme.get("jobs/dead?tenant=none"));
    assertThat(acme.get("jobs/queues").values("queues", "queue")).isEmpty();
    assertThat(dead("zeta").values("jobs", "id")).contains(foreign);
  }

  @Test
  void countsQueuesAsText() throws Exception {
    assertThat(console.as(ConsoleFixture.VIEWER).get("jobs/queues").json().toString())
        .contains("\"queue\":\"mail\"", "\"dead\":\"4\"");
  }

  @Test
  void showsARunItsStepsAndWhyItWaits() throws Exception {
    Reply run = console.as(ConsoleFixture.VIEWER).get("runs/one?tenant=acme&run=ship-1");

    assertThat(run.values("steps", "name")).containsExactly("pack", "go");
    assertThat(run.values("waits", "what")).isNotEmpty();
    assertThat(console.as(ConsoleFixture.VIEWER).get("runs?tenant=acme").values("runs", "run"))
        .contains("ship-1");
    assertThat(
            console
                .as(ConsoleFixture.VIEWER)
                .get("timeline?tenant=acme&key=ship-1")
                .values("entries", "module"))
        .startsWith("workflow run", "step");
  }

  @Test
  void anotherTenantsRunAnswersLikeAnAbsentOne() throws Exception {
    console.startRun(new RunId("zeta", "ship-9"));
    ConsoleClient acme = console.as(ConsoleFixture.ACME);

    assertThat(acme.get("runs/one?tenant=zeta&run=ship-9"))
        .isEqualTo(acme.get("runs/one?tenant=zeta&run=none"));
    assertThat(acme.get("runs?tenant=zeta")).isEqualTo(acme.get("runs?tenant=none"));
    assertThat(acme.act("cancel-run", Map.of("tenant", "zeta", "run", "ship-9")))
        .isEqualTo(acme.act("cancel-run", Map.of("tenant", "zeta", "run", "none")));
  }

  @Test
  void cancelsARunOnce() throws Exception {
    console.startRun(new RunId("acme", "ship-2"));
    Map<String, String> which = Map.of("tenant", "acme", "run", "ship-2");

    assertThat(console.as(ConsoleFixture.OPERATOR).act("cancel-run", which).status())
        .isEqualTo(200);
    assertThat(console.as(ConsoleFixture.OPERATOR).get("runs/one?tenant=acme&run=ship-2").text())
        .contains("\"cancel_requested\":true");
  }

  @Test
  void disablesAndEnablesAnEndpointWithoutShowingItsPath() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);
    Map<String, String> which = Map.of("tenant", "acme", "endpoint", "shop");

    assertThat(operator.get("webhooks?tenant=acme").text())
        .contains("https://hooks.example")
        .doesNotContain("secret-path");
    assertThat(operator.act("disable-endpoint", which).status()).isEqualTo(200);
    assertThat(operator.act("disable-endpoint", which).status()).isEqualTo(409);
    assertThat(operator.get("webhooks?tenant=acme").values("endpoints", "state"))
        .containsExactly("disabled");
    assertThat(operator.act("enable-endpoint", which).status()).isEqualTo(200);
    assertThat(console.as(ConsoleFixture.ACME).get("webhooks?tenant=zeta"))
        .isEqualTo(console.as(ConsoleFixture.ACME).get("webhooks?tenant=none"));
  }

  @Test
  void showsConsumersToUsersOfEveryTenantAlone() throws Exception {
    assertThat(console.as(ConsoleFixture.VIEWER).get("events").text()).contains("\"lag\":\"12\"");
    assertThat(console.as(ConsoleFixture.ACME).get("events").status()).isEqualTo(403);
    assertThat(
            console
                .as(ConsoleFixture.ACME)
                .act("redrive-event", Map.of("handler", "search", "event", "e-1"))
                .status())
        .isEqualTo(404);
    assertThat(
            console
                .as(ConsoleFixture.OPERATOR)
                .act("redrive-event", Map.of("handler", "search", "event", "e-1"))
                .status())
        .isEqualTo(404);
  }

  @Test
  void redrivesAnEventThatWasGivenUp() throws Exception {
    console.giveUpEvent("search", "e-7");
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);
    Map<String, String> which = Map.of("handler", "search", "event", "e-7");

    assertThat(operator.get("events").text()).contains("\"handlers\":[\"search\"]");
    assertThat(operator.get("events/given-up?handler=search").values("events", "event"))
        .containsExactly("e-7");
    assertThat(console.as(ConsoleFixture.VIEWER).act("redrive-event", which).status())
        .isEqualTo(403);
    console.audit.clear();
    assertThat(operator.act("redrive-event", which).status()).isEqualTo(200);

    assertThat(operator.get("events/one?event=e-7").values("events", "state"))
        .containsExactly("failed");
    assertThat(console.audit)
        .containsExactly(
            new ConsoleChange("ada", ConsoleAction.REDRIVE_EVENT, which, "ticket 7", "changed"));
  }

  private static Reply letter(String type) throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);
    Reply letters = dead("acme");
    String id = letters.values("jobs", "id").get(letters.values("jobs", "type").indexOf(type));
    return operator.get("jobs/one?tenant=acme&id=" + id);
  }

  private static Reply dead(String tenant) {
    try {
      return console.as(ConsoleFixture.OPERATOR).get("jobs/dead?tenant=" + tenant);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
