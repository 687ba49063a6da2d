package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strict contract, the default: a key on every write, unique per tenant and route. */
class StrictContractTest extends ContractFacts {
  StrictContractTest() {
    super(PlanningServer.under("strict"));
  }

  @Override
  Refused mismatch() {
    return new Refused(409, "idempotency.payload_mismatch");
  }

  @Override
  Refused inFlight() {
    return new Refused(409, "idempotency.in_flight");
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

  @Test
  void refusesAWriteWithoutAKey() {
    expectKeyRequired(new Refused(400, "idempotency.key_required"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 128})
  void takesKeysOfUpTo128Characters(int length) {
    expectReplay(
        create("k".repeat(length), SURVEY).expect(201), create("k".repeat(length), SURVEY));
  }

  @Test
  void refusesALongerKey() {
    expect(create("k".repeat(129), SURVEY), keyInvalid());
  }

  @Test
  void takesAKeyForNewOnAnotherRoute() {
    create(key, SURVEY).expect(201);

    Reply other = api.post("/v1/projects", "{\"name\":\"Dock\"}", Api.KEY, key).expect(201);

    assertThat(isReplay(other)).isFalse();
  }

  /** The scope has neither method nor ids, and the fingerprint has both. */
  @Test
  void refusesAKeyForAnotherMethodOrAnotherResource() {
    Reply mission = create(Api.randomId(), SURVEY).expect(201);
    Reply other = create(Api.randomId(), CENSUS).expect(201);
    Reply changed = change("PATCH", mission, "{\"title\":\"Dock\"}").expect(200);

    expect(change("DELETE", mission, null), mismatch());
    expect(change("PATCH", other, "{\"title\":\"Dock\"}"), mismatch());
    expectReplay(changed, change("PATCH", mission, "{\"title\":\"Dock\"}"));
    assertThat(missions()).isEqualTo(2);
    assertThat(api.get(other.location()).expect(200).body()).isEqualTo(other.body());
  }

  private Reply change(String method, Reply mission, @Nullable String body) {
    return api.send(method, mission.location(), body, Api.KEY, key, "If-Match", "\"1\"");
  }

  @Test
  void sharesKeysAndAnswersAmongCallers() {
    Reply first = create(key, SURVEY).expect(201);

    expectReplay(first, create(colleague(), key, SURVEY));
    expect(create(colleague(), key, CENSUS), mismatch());
    assertThat(missions()).isEqualTo(1);
  }

  @Test
  void keepsThatSomethingIsMissing() {
    String nowhere = "/v1/projects/" + Api.randomId() + "/missions";
    Reply missing = api.post(nowhere, SURVEY, Api.KEY, key);

    missing.expectProblem(404, "planning.not_found");
    expectReplay(missing, api.post(nowhere, SURVEY, Api.KEY, key));
  }

  @Test
  void keepsThatTheRevisionIsAnother() {
    Reply refused = rename("\"7\"");

    refused.expectProblem(409, "concurrency.version_mismatch");
    expectReplay(refused, rename("\"7\""));
  }

  @Test
  void letsAForgottenIfMatchBeAdded() {
    String body = "{\"name\":\"Dock\"}";
    api.send("PATCH", project.location(), body, Api.KEY, key)
        .expectProblem(428, "concurrency.etag_required");

    rename("\"1\"").expect(200);
  }

  @Test
  void keepsSuccessesForADayAndErrorsForFourHours() {
    create(key, SURVEY).expect(201);
    assertThat(hoursKept()).isEqualTo(24);

    create(Api.randomId(), "{}").expect(400);
    assertThat(hoursKept()).isEqualTo(4);
  }

  private Reply rename(String tag) {
    return api.send(
        "PATCH", project.location(), "{\"name\":\"Dock\"}", Api.KEY, key, "If-Match", tag);
  }

  /** Returns for how many hours the newest record is kept. */
  private long hoursKept() {
    return server
        .database()
        .sql(
            """
            SELECT round(extract(epoch FROM expires_at - clock_timestamp()) / 3600) FROM once_record
            WHERE tenant = :tenant ORDER BY created_at DESC LIMIT 1
            """)
        .param("tenant", api.tenant())
        .query(Long.class)
        .single();
  }
}
