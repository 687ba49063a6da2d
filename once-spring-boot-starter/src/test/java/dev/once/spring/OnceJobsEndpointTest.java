package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator can see and change of dead letters. */
@Timeout(60)
class OnceJobsEndpointTest {
  private static final OpsApp APP =
      OpsApp.start(
          List.of(OpsApi.class, Mail.class), "management.endpoints.web.exposure.include=*");
  private static final JsonMapper JSON = new JsonMapper();

  @Service
  static class Mail {
    final AtomicBoolean isBroken = new AtomicBoolean();

    @OnceJob(queue = "mail", type = "welcome")
    void send(String text) {
      if (isBroken.get()) {
        throw new JobException.GiveUp("no such address: +27 82 123 4567");
      }
    }
  }

  @AfterAll
  static void stop() {
    APP.close();
  }

  @BeforeEach
  void breakMail() {
    APP.bean(Mail.class).isBroken.set(true);
  }

  // A21
  @Test
  void showsALetterWithoutItsKeyAndItsPayload() {
    long id = died("secret-ann");

    JsonNode letter = find("acme", id);

    assertThat(letter.at("/queue").asString()).isEqualTo("mail");
    assertThat(letter.at("/reason").asString()).contains("no such address");
    assertThat(letter.at("/attempt").asInt()).isEqualTo(1);
    assertThat(letter.at("/payload_hash").asString()).startsWith("sha256");
    assertThat(letter.at("/payload_bytes").asInt()).isEqualTo(6);
    assertThat(letter.at("/stack").asString()).contains("Mail.send");
    assertThat(letter.at("/key_hash").asString()).isEqualTo(key("secret-ann").toKey().shortHash());
    assertThat(letter.toString()).doesNotContain("secret").doesNotContain("123 4567");
  }

  @Test
  void listsTheLettersOfATenant() {
    long first = died("bob");
    long second = died("cem");

    assertThat(ids("tenant=acme&after=" + (first - 1))).startsWith(first, second);
    assertThat(ids("tenant=acme&limit=1&after=" + (first - 1))).containsExactly(first);
    assertThat(ids("tenant=acme&queue=other")).isEmpty();
    assertThat(ids("tenant=other")).isEmpty();
  }

  @Test
  void showsNothingOfAnotherTenant() {
    long id = died("dan");

    assertThat(APP.get("/actuator/oncejobs/" + id + "?tenant=other").statusCode()).isEqualTo(404);
    assertThat(change("retry", "other", "why", id).body()).isEqualTo("{\"changed\":[]}");
    assertThat(APP.get("/actuator/oncejobs").statusCode()).isEqualTo(400);
    assertThat(APP.get("/actuator/oncejobs?tenant=acme&limit=0").statusCode()).isEqualTo(400);
  }

  @Test
  void retriesLetters() {
    long first = died("eve");
    long second = died("fay");
    APP.bean(Mail.class).isBroken.set(false);

    assertThat(change("retry", "acme", "mail is back", second, first).body())
        .isEqualTo("{\"changed\":[%d,%d]}".formatted(first, second));

    awaitState("eve", "done");
    awaitState("fay", "done");
  }

  @Test
  void repeatsALetterWhoseEffectsMayBeForgotten() {
    long id = died("jan");
    forgetEffectsOf(id);
    APP.bean(Mail.class).isBroken.set(false);

    assertThat(find("acme", id).at("/retry_until").asString()).isNotEmpty();
    assertThat(change("retry", "acme", "mail is back", id).body()).isEqualTo("{\"changed\":[]}");
    assertThat(state("jan")).isEqualTo("dead");
    assertThat(change("repeat", "other", "mail is back", id).body()).isEqualTo("{\"changed\":[]}");

    try (LogLines log = LogLines.of(OperatorAudit.class)) {
      assertThat(change("repeat", "acme", "no mail was sent", id).body())
          .isEqualTo("{\"changed\":[%d]}".formatted(id));
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("operator=olga action=job.repeat", "changed=true");
    }
    awaitState("jan", "done");
    assertThat(APP.bean(Jobs.class).deadLetters().audit("acme", 0, 1000))
        .anyMatch(it -> it.job() == id && it.actor().equals("olga"));
  }

  /** As if its retention had passed. */
  private static void forgetEffectsOf(long id) {
    JdbcClient.create(APP.bean(DataSource.class))
        .sql("UPDATE once_job SET forget_at = clock_timestamp() - interval '1s' WHERE id = ?")
        .param(id)
        .update();
  }

  @Test
  void discardsALetter() {
    long id = died("gus");

    change("discard", "acme", "left the company", id);

    assertThat(state("gus")).isEqualTo("done");
    assertThat(change("discard", "acme", "again", id).body()).isEqualTo("{\"changed\":[]}");
  }

  // A25
  @Test
  void recordsOperatorActionAndReason() {
    long id = died("hal");
    try (LogLines log = LogLines.of(OperatorAudit.class)) {
      change("discard", "acme", "left the company", id);

      assertThat(log.lines())
          .containsExactly(
              "INFO audit.operator operator=olga action=job.discard tenant=acme job_id=%d"
                      .formatted(id)
                  + " reason=\"left the company\" changed=true");
    }
    assertThat(APP.bean(OpsApi.Audits.class).events)
        .filteredOn(it -> Long.toString(id).equals(it.getData().get("job_id")))
        .extracting(AuditEvent::getPrincipal, AuditEvent::getType)
        .containsExactly(tuple("olga", "once.job.discard"));
    assertThat(APP.bean(Jobs.class).deadLetters().audit("acme", 0, 1000))
        .anyMatch(it -> it.job() == id && it.actor().equals("olga"));
  }

  @Test
  void refusesAChangeThatCannotBeMeant() {
    long id = died("ida");

    assertThat(change("retry", "acme", " ", id).statusCode()).isEqualTo(400);
    assertThat(change("delete", "acme", "why", id).statusCode()).isEqualTo(400);
    assertThat(change("retry", "acme", "why").statusCode()).isEqualTo(400);
    assertThat(state("ida")).isEqualTo("dead");
  }

  private static JobKey key(String name) {
    return new JobKey("acme", "mail", "welcome", name);
  }

  private static long died(String name) {
    long id = APP.bean(Jobs.class).enqueue(Job.of(key(name)).withText("secret")).id();
    awaitState(name, "dead");
    return id;
  }

  private static void awaitState(String name, String state) {
    Polling.until(() -> state(name), state::equals);
  }

  private static String state(String name) {
    return APP.bean(Jobs.class).find(key(name)).map(it -> it.state().toString()).orElse("");
  }

  private static JsonNode find(String tenant, long id) {
    return JSON.readTree(APP.get("/actuator/oncejobs/" + id + "?tenant=" + tenant).body());
  }

  private static List<Long> ids(String query) {
    HttpResponse<String> listed = APP.get("/actuator/oncejobs?" + query);
    assertThat(listed.statusCode()).isEqualTo(200);
    return JSON.readTree(listed.body())
        .path("dead")
        .valueStream()
        .map(it -> it.path("id").asLong())
        .toList();
  }

  private static HttpResponse<String> change(
      String action, String tenant, String reason, Long... ids) {
    String list = Stream.of(ids).map(String::valueOf).collect(Collectors.joining(","));
    String body =
        JSON.writeValueAsString(
            Map.of("action", action, "tenant", tenant, "ids", list, "reason", reason));
    return OpsApp.send(APP.posted("/actuator/oncejobs", "acme", "olga", "unused", body).build());
  }
}
