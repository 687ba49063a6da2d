package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventKind;
import dev.once.examples.pipeline.ApiStage.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the command API, on real storage and a real database. */
@Timeout(120)
class ApiTest {
  @TempDir static Path folder;

  private static ApiStage stage;

  @BeforeAll
  static void start() throws Exception {
    stage = new ApiStage(folder);
  }

  @AfterAll
  static void end() throws Exception {
    stage.close();
  }

  @Test
  void appendsACommandWithTheWholeState() throws Exception {
    Answer answer =
        stage.send(
            HttpRequest.newBuilder(stage.url("/v1/instances"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "whole-1")
                .header("X-Correlation-Id", "trace-7")
                .POST(BodyPublishers.ofString(instance("whole", "Pump", ",\"size\":1.50")))
                .build());

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().path("seq").asLong()).isEqualTo(1);
    Event event = stage.events("whole").get(0);
    assertThat(event.id()).isEqualTo("whole-1");
    assertThat(event.content().type()).isEqualTo("instance.created");
    assertThat(event.content().kind()).isEqualTo(EventKind.COMMAND);
    assertThat(event.content().metadata()).containsEntry("correlation_id", "trace-7");
    assertThat(data(event))
        .isEqualTo("{\"id\":\"whole\",\"type\":\"pump\",\"name\":\"Pump\",\"size\":1.50}");
  }

  @Test
  void changesAndDeletesInOrder() throws Exception {
    stage.post("order-1", instance("order", "First", ""));
    Answer updated = stage.put("order", "order-2", change(1, "Second"));
    Answer deleted = stage.delete("order", "order-3", "?expected_seq=2");

    assertThat(updated.status()).isEqualTo(200);
    assertThat(updated.json().path("seq").asLong()).isEqualTo(2);
    assertThat(deleted.json().path("seq").asLong()).isEqualTo(3);
    assertThat(stage.events("order"))
        .extracting(it -> it.content().type())
        .containsExactly("instance.created", "instance.updated", "instance.deleted");
    assertThat(data(stage.events("order").get(1))).contains("Second").doesNotContain("expected");
  }

  @Test
  void answersARetryLikeTheFirstTime() throws Exception {
    Answer first = stage.post("retry-1", instance("retry", "Pump", ""));
    Answer again = stage.post("retry-1", instance("retry", "Pump", ""));
    Answer update = stage.put("retry", "retry-2", change(1, "Valve"));
    Answer updateAgain = stage.put("retry", "retry-2", change(1, "Valve"));

    assertThat(again.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.isReplayed()).isTrue();
    assertThat(first.isReplayed()).isFalse();
    assertThat(updateAgain.body()).isEqualTo(update.body());
    assertThat(stage.events("retry")).hasSize(2);
  }

  @Test
  void choosesTheSameIdForARetryWithoutOne() throws Exception {
    String body = "{\"type\":\"pump\",\"name\":\"Pump\"}";
    Answer first = stage.post("unnamed-1", body);
    Answer again = stage.post("unnamed-1", body);
    Answer other = stage.post("unnamed-2", body);

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(other.json().path("id")).isNotEqualTo(first.json().path("id"));
  }

  @Test
  void refusesAnIdThatWasUsedForAnotherPayload() throws Exception {
    stage.post("reuse-1", instance("reuse", "Pump", ""));
    Answer answer = stage.post("reuse-1", instance("reuse", "Another pump", ""));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("event.payload_mismatch");
    String first = answer.json().path("first_hash").asString();
    String second = answer.json().path("second_hash").asString();
    assertThat(first).isNotEmpty().isNotEqualTo(second);
    assertThat(second).isNotEmpty();
    assertThat(stage.events("reuse")).hasSize(1);
    assertThat(answer.response().headers().firstValue("Content-Type"))
        .hasValue("application/problem+json");
  }

  @Test
  void appendsNothingIfAnotherSequenceIsExpected() throws Exception {
    stage.post("occ-1", instance("occ", "Pump", ""));
    stage.put("occ", "occ-2", change(1, "Second"));
    Answer stale = stage.put("occ", "occ-3", change(1, "Third"));
    Answer early = stage.delete("occ", "occ-4", "?expected_seq=9");
    Answer created = stage.post("occ-5", instance("occ", "Again", ""));

    assertThat(List.of(stale, early, created))
        .allSatisfy(
            it -> {
              assertThat(it.status()).isEqualTo(409);
              assertThat(it.code()).isEqualTo("concurrency.sequence_mismatch");
              assertThat(it.json().path("actual_seq").asLong()).isEqualTo(2);
            });
    assertThat(stage.events("occ")).hasSize(2);
  }

  @Test
  void refusesAChangeOfWhatIsNotThere() throws Exception {
    Answer answer = stage.put("missing", "missing-1", change(1, "Pump"));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.json().path("actual_seq").asLong(-1)).isZero();
  }

  @Test
  void asksForTheExpectedSequence() throws Exception {
    stage.post("asks-1", instance("asks", "Pump", ""));
    Answer update = stage.put("asks", "asks-2", "{\"type\":\"pump\",\"name\":\"Pump\"}");
    Answer delete = stage.delete("asks", "asks-3", "");

    assertThat(update.status()).isEqualTo(428);
    assertThat(delete.status()).isEqualTo(428);
    assertThat(delete.code()).isEqualTo("concurrency.expected_seq_required");
    assertThat(stage.events("asks")).hasSize(1);
  }

  @Test
  void keepsWhatIsDeletedDeleted() throws Exception {
    stage.post("gone-1", instance("gone", "Pump", ""));
    Answer first = stage.delete("gone", "gone-2", "?expected_seq=1");
    Answer again = stage.delete("gone", "gone-2", "?expected_seq=1");
    Answer changed = stage.put("gone", "gone-3", change(2, "Pump"));
    Answer deleted = stage.delete("gone", "gone-4", "?expected_seq=2");

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(changed.status()).isEqualTo(410);
    assertThat(deleted.status()).isEqualTo(410);
    assertThat(stage.events("gone")).hasSize(2);
  }

  @Test
  void letsOneOfTwoConcurrentChangesWin() throws Exception {
    stage.post("race-1", instance("race", "Pump", ""));
    List<CompletableFuture<Integer>> changes =
        List.of(2, 3, 4, 5).stream().map(ApiTest::changeConcurrently).toList();
    List<Integer> statuses = changes.stream().map(CompletableFuture::join).toList();

    assertThat(statuses).containsExactlyInAnyOrder(200, 409, 409, 409);
    assertThat(stage.events("race")).hasSize(2);
  }

  private static CompletableFuture<Integer> changeConcurrently(int number) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return stage.put("race", "race-" + number, change(1, "Pump " + number)).status();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A", "a ", " a", "a/b", "a%2Fb", "ä", "a?b=c", "...", "a+b"})
  void keepsIdsApart(String id) throws Exception {
    Answer created = stage.post("apart-1 " + encoded(id), instance(id, "Pump", ""));
    Answer changed = stage.put(id, "apart-2 " + encoded(id), change(1, "Valve"));

    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(changed.json().path("seq").asLong()).as(changed.body()).isEqualTo(2);
    assertThat(changed.json().path("id").asString()).isEqualTo(id);
    assertThat(stage.events(id)).hasSize(2);
  }

  private static String encoded(String id) {
    return HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void takesTheIdOfTheEventFromTheBodyToo() throws Exception {
    String body = instance("body", "Pump", ",\"event_id\":\"body-1\"");
    Answer first = stage.post("", body);
    Answer again = stage.post("body-1", instance("body", "Pump", ""));
    Answer both = stage.post("body-2", body);
    Answer deleted = stage.delete("body", "", "?expected_seq=1&event_id=body-3");

    assertThat(first.json().path("event_id").asString()).isEqualTo("body-1");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(both.status()).isEqualTo(400);
    assertThat(deleted.json().path("event_id").asString()).isEqualTo("body-3");
  }

  @Test
  void refusesWhatIsNoCommand() throws Exception {
    assertThat(stage.post("bad-1", "{").status()).isEqualTo(400);
    assertThat(stage.post("bad-2", "[]").status()).isEqualTo(400);
    assertThat(stage.post("bad-3", "{\"name\":\"a\",\"name\":\"b\",\"type\":\"c\"}").status())
        .isEqualTo(400);
    assertThat(stage.post("bad-4", "{\"name\":\"Pump\"}").json().path("detail").asString())
        .startsWith("type must be a text");
    assertThat(stage.post("bad-5", instance("bad", " ", "")).status()).isEqualTo(400);
    assertThat(stage.post("bad-6", instance("bad", "Pump", ",\"once_deleted\":true")).status())
        .isEqualTo(400);
    assertThat(stage.post("bad-7", instance("bad", "Pump", ",\"expected_seq\":3")).status())
        .isEqualTo(400);
    assertThat(stage.post("bad-7b", instance("..", "Pump", "")).status()).isEqualTo(400);
    assertThat(stage.put("bad", "bad-8", change(0, "Pump")).status()).isEqualTo(400);
    assertThat(stage.put("bad", "x".repeat(300), change(1, "Pump")).status()).isEqualTo(400);
    assertThat(stage.send("PATCH", "/v1/instances/bad", "bad-9", "{}").status()).isEqualTo(405);
    assertThat(stage.send("PUT", "/v1/instances", "bad-10", "{}").status()).isEqualTo(405);
    assertThat(stage.events("bad")).isEmpty();
  }

  @Test
  void limitsTheBody() throws Exception {
    String large = instance("large", "Pump", ",\"text\":\"" + "x".repeat(64 * 1024) + "\"");
    HttpRequest form =
        HttpRequest.newBuilder(stage.url("/v1/instances"))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(instance("form", "Pump", "")))
            .build();

    assertThat(stage.post("large-1", large).status()).isEqualTo(413);
    assertThat(stage.send(form).status()).isEqualTo(415);
    assertThat(stage.events("large")).isEmpty();
  }

  @Test
  void hasTheSameRulesForOntologies() throws Exception {
    String body = "{\"id\":\"pump\",\"name\":\"Pump\",\"parent\":\"machine\"}";
    Answer created = stage.send("POST", "/v1/ontologies", "type-1", body);
    Answer again = stage.send("POST", "/v1/ontologies", "type-1", body);
    Answer stale = stage.send("DELETE", "/v1/ontologies/pump?expected_seq=2", "type-2", "");
    Answer deleted = stage.send("DELETE", "/v1/ontologies/pump?expected_seq=1", "type-3", "");

    assertThat(created.json().path("event_type").asString()).isEqualTo("ontology.created");
    assertThat(again.body()).isEqualTo(created.body());
    assertThat(stale.json().path("actual_seq").asLong()).isEqualTo(1);
    assertThat(deleted.json().path("seq").asLong()).isEqualTo(2);
  }

  private static String instance(String id, String name, String more) {
    return "{\"id\":\"%s\",\"type\":\"pump\",\"name\":\"%s\"%s}".formatted(id, name, more);
  }

  private static String change(long expected, String name) {
    return "{\"expected_seq\":%d,\"type\":\"pump\",\"name\":\"%s\"}".formatted(expected, name);
  }

  private static String data(Event event) {
    return new String(event.content().data(), StandardCharsets.UTF_8);
  }
}
