package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What every contract promises, each with its own codes. */
abstract class ContractFacts extends UnderContract {
  ContractFacts(PlanningServer server) {
    super(server);
  }

  @Test
  void executesTheFirstRequest() {
    Reply first = create(key, SURVEY).expect(201);

    assertThat(isReplay(first)).isFalse();
    assertThat(api.get(first.location()).expect(200).body()).isEqualTo(first.body());
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void replaysTheFirstAnswerByteForByte() {
    Reply first = create(key, SURVEY).expect(201);

    expectReplay(first, create(key, SURVEY));
    expectReplay(first, create(key, SURVEY));
    assertThat(first.header("X-Audit-ID")).isNotEmpty();
    assertThat(first.header("ETag")).isNotEmpty();
    assertThat(missions()).isEqualTo(1);
  }

  @Test
  void replaysToAnEqualRequestWrittenDifferently() {
    String same =
        """
        { "ends_at": "2026-11-01T12:00:00Z",
          "starts_at": "2026-11-01T08:00:00Z", "title": "Pr\\u00fcfung" }
        """;
    Reply first = create(key, SURVEY).expect(201);

    expectReplay(first, create(key, same));
  }

  @Test
  void refusesAKeyThatWasUsedForAnotherRequest() {
    Reply first = create(key, SURVEY).expect(201);

    expect(create(key, CENSUS), mismatch());
    expect(api.post(missionsPath() + "?a=b", SURVEY, Api.KEY, key), mismatch());
    expectReplay(first, create(key, SURVEY));
    assertThat(missions()).isEqualTo(1);
  }

  // A29
  @Test
  void reflectsNoFingerprint() {
    Reply first = create(key, SURVEY).expect(201);
    Reply replay = create(key, SURVEY).expect(201);
    Reply refused = create(key, CENSUS).expect(mismatch().status());

    String fingerprint =
        server
            .database()
            .sql("SELECT fingerprint FROM once_record WHERE tenant = :tenant AND key LIKE :key")
            .param("tenant", api.tenant())
            .param("key", "%" + key)
            .query(String.class)
            .single();
    String hash = fingerprint.substring(fingerprint.lastIndexOf(':') + 1);
    assertThat(hash).hasSizeGreaterThan(30);
    for (Reply it : List.of(first, replay, refused)) {
      assertThat(it.toString()).doesNotContain(hash, hash.substring(0, 12));
    }
  }

  @Test
  void tellsADuplicateThatTheFirstRequestIsUnderWay() throws Exception {
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);
        expectInFlight(create(key, SURVEY));
      }

      expectReplay(ConcurrentCalls.answerOf(first).expect(201), create(key, SURVEY));
      assertThat(missions()).isEqualTo(1);
    }
  }

  @Test
  void letsADuplicateWaitForTheFirstAnswer() throws Exception {
    try (PlanningServer patient = server.another(Map.of("once.max-wait", "60s"));
        ConcurrentCalls calls = new ConcurrentCalls()) {
      Api there = api.at(patient);
      Future<Reply> first;
      Future<Reply> second;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> create(there, key, SURVEY));
        held.awaitWaiting(1);
        second = calls.start(() -> create(there, key, SURVEY));
        assertThat(second)
            .failsWithin(Duration.ofMillis(300))
            .withThrowableOfType(TimeoutException.class);
      }

      expectReplay(ConcurrentCalls.answerOf(first).expect(201), ConcurrentCalls.answerOf(second));
      assertThat(missions()).isEqualTo(1);
    }
  }

  @Test
  void takesAKeyForNewOnceItHasExpired() {
    try (PlanningServer forgetful = server.another(Map.of("once.retention", "1s"))) {
      Api there = api.at(forgetful);
      Reply first = create(there, key, SURVEY).expect(201);

      Reply later = Polling.until(() -> create(there, key, SURVEY), it -> !isReplay(it));

      assertThat(later.expect(201).id()).isNotEqualTo(first.id());
      assertThat(missions()).isEqualTo(2);
    }
  }

  @Test
  void keepsARefusalOfTheHandler() {
    Reply refused = create(key, "{\"title\":\"\"}");

    refused.expectProblem(400, "planning.validation_failed");
    expectReplay(refused, create(key, "{\"title\":\"\"}"));
    expect(create(key, SURVEY), mismatch());
    assertThat(missions()).isZero();
  }

  @Test
  void keepsWhatTheHandlerSaysToABodyThatIsNoJson() {
    Reply refused = create(key, "{\"title\":");

    refused.expectProblem(400, "planning.body_malformed");
    expectReplay(refused, create(key, "{\"title\":"));
    expect(create(key, "{\"title\""), mismatch());
  }

  @Test
  void refusesJsonThatMeansTwoThingsAndKeepsNothing() {
    expect(create(key, "{\"title\":\"a\",\"title\":\"b\"}"), bodyRefused());

    assertThat(records()).isZero();
    create(key, SURVEY).expect(201);
  }

  @Test
  void refusesABodyThatIsTooLargeAndKeepsNothing() {
    expect(create(key, "{\"title\":\"" + "a".repeat(1 << 20) + "\"}"), bodyTooLarge());

    assertThat(records()).isZero();
    create(key, SURVEY).expect(201);
  }

  @Test
  void keepsNothingOfARequestThatNoHandlerTakes() {
    Reply refused = api.post(missionsPath(), SURVEY, Api.KEY, key, "Content-Type", "text/plain");

    refused.expectProblem(415, "planning.unsupported_media_type");
    assertThat(records()).isZero();
    create(key, SURVEY).expect(201);
  }

  @Test
  void takesAKeyInQuotesForTheSameKey() {
    Reply first = create(key, SURVEY).expect(201);

    expectReplay(first, create("\"" + key + "\"", SURVEY));
  }

  /** Facts of contracts in which every write needs a key. */
  final void expectKeyRequired(Refused refused) {
    expect(api.sendWithoutKey("POST", missionsPath(), SURVEY), refused);
    expect(
        api.sendWithoutKey("PATCH", project.location(), "{\"name\":\"Dock\"}", "If-Match", "\"1\""),
        refused);
    assertThat(missions()).isZero();
    assertThat(records()).isZero();
    assertThat(api.tag(project)).isEqualTo("\"1\"");
  }

  /** Facts of contracts in which every write without a key is executed. */
  final void expectKeyOptional() {
    Reply first = api.sendWithoutKey("POST", missionsPath(), SURVEY).expect(201);
    Reply second = api.sendWithoutKey("POST", missionsPath(), SURVEY).expect(201);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(isReplay(second)).isFalse();
    assertThat(records()).isZero();
  }

  /** Another caller of the same tenant. */
  final Api colleague() {
    return server.caller(api.tenant(), "colleague", Role.PLANNER);
  }
}
