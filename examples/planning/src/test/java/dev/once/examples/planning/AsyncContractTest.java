package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The async contract: every answer has its status, and a duplicate in flight gets a link. */
class AsyncContractTest extends ContractFacts {
  AsyncContractTest() {
    super(PlanningServer.under("async"));
  }

  @Override
  Refused mismatch() {
    return new Refused(409, "idempotency.payload_mismatch");
  }

  @Override
  Refused inFlight() {
    return new Refused(202, "idempotency.in_flight");
  }

  @Override
  Refused keyInvalid() {
    return new Refused(400, "idempotency.key_invalid");
  }

  @Override
  Refused bodyTooLarge() {
    return new Refused(413, "request.body_too_large");
  }

  @Override
  Refused bodyRefused() {
    return new Refused(400, "request.body_refused");
  }

  @Override
  void expectInFlight(Reply duplicate) {
    duplicate.expect(inFlight().status());
    assertThat(duplicate.text("code")).isEqualTo(inFlight().code());
    assertThat(duplicate.text("state")).isEqualTo("in_progress");
    assertThat(duplicate.text("operation")).isEqualTo(duplicate.location());
    assertThat(duplicate.header("Retry-After")).matches("[1-9][0-9]?");
    assertThat(statusOf(duplicate)).isEqualTo("IN_PROGRESS " + key);
  }

  @Override
  boolean isReplay(Reply reply) {
    return reply.header("X-Idempotency-Status").equals("HIT");
  }

  @Test
  void refusesAWriteWithoutAKey() {
    expectKeyRequired(new Refused(400, "idempotency.key_required"));
  }

  @Test
  void marksEveryAnswerToAKey() {
    assertThat(statusOf(create(key, SURVEY).expect(201))).isEqualTo("MISS " + key);
    assertThat(statusOf(create(key, SURVEY).expect(201))).isEqualTo("HIT " + key);
    assertThat(statusOf(create(key, CENSUS).expect(409))).isEqualTo("CONFLICT " + key);
    assertThat(statusOf(create(Api.randomId(), "{}").expect(400))).startsWith("MISS ");
  }

  @Test
  void givesEveryCallerKeysOfTheirOwn() {
    create(key, SURVEY).expect(201);

    assertThat(isReplay(create(colleague(), key, SURVEY).expect(201))).isFalse();
  }

  @Test
  void linksToAnOperationForItsCallerAlone() throws Exception {
    String link;
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);
        link = create(key, SURVEY).expect(202).location();
      }
      ConcurrentCalls.answerOf(first).expect(201);
    }

    Reply state = api.get(link, Api.KEY, key).expect(200);
    assertThat(state.text("state")).isEqualTo("completed");
    assertThat(state.json().path("status").asInt()).isEqualTo(201);
    assertThat(state.body()).doesNotContain("Prüfung");
    for (Api other : List.of(colleague(), server.planner())) {
      assertThat(other.get(link, Api.KEY, key).expect(404).text("state")).isEqualTo("absent");
    }
    server.stranger().get(link).expectProblem(401, "auth.required");
  }

  @Test
  void linksToTheStateOfARequestUnderWay() throws Exception {
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);
        Reply state = api.get(create(key, SURVEY).expect(202).location(), Api.KEY, key).expect(200);

        assertThat(state.text("state")).isEqualTo("in_progress");
        assertThat(state.header("Retry-After")).isEqualTo("1");
      }
      ConcurrentCalls.answerOf(first).expect(201);
    }
  }

  @Test
  void comparesRequestsWhileTheFirstIsUnderWay() throws Exception {
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);

        expect(create(key, CENSUS), mismatch());
      }
      ConcurrentCalls.answerOf(first).expect(201);
    }
  }

  private static String statusOf(Reply reply) {
    return reply.header("X-Idempotency-Status") + " " + reply.header("X-Idempotency-Key");
  }
}
