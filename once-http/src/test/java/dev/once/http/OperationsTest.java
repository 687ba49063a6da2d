package dev.once.http;

import static dev.once.http.ContractTests.body;
import static dev.once.http.ContractTests.header;
import static dev.once.http.TestCall.ADA;
import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static dev.once.http.TestCall.MISSIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsTest {
  private static final ScopeRule SCOPE = Contract.ASYNC.scope();
  private static final String ID = OperationId.of("POST", MISSIONS.template(), SCOPE);
  private static final List<String> KEY = CREATE.key();

  private final TestApi api = new TestApi(Contract.ASYNC);
  private final Operations operations = new Operations(Contract.ASYNC, api.store);

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void showsAnOperationInFlight() {
    api.begin(CREATE);

    HttpAnswer answer = operations.state(ID, KEY, ADA);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(body(answer).propertyNames()).containsExactly("state", "created_at", "expires_at");
    assertThat(body(answer).at("/state").stringValue()).isEqualTo("in_progress");
    assertThat(body(answer).at("/created_at").stringValue())
        .isEqualTo(api.clock.instant().toString());
    assertThat(header(answer, "Retry-After")).isEqualTo("1");
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void showsTheStatusButNotTheAnswerOfWhatIsDone() {
    api.send(CREATE);

    HttpAnswer answer = operations.state(ID, KEY, ADA);

    assertThat(body(answer).at("/state").stringValue()).isEqualTo("completed");
    assertThat(body(answer).at("/status").intValue()).isEqualTo(201);
    assertThat(body(answer).has("mission")).isFalse();
    assertThat(header(answer, "Retry-After")).isEqualTo("absent");
  }

  @Test
  void showsAFailureAsSuch() {
    api.handler = () -> TestApi.json(422, "{}");
    api.send(CREATE);

    assertThat(body(operations.state(ID, KEY, ADA)).at("/state").stringValue()).isEqualTo("failed");
    assertThat(body(operations.state(ID, KEY, ADA)).at("/status").intValue()).isEqualTo(422);
  }

  @Test
  void showsNothingOfAnotherCallerOrTenant() {
    api.send(CREATE);

    HttpAnswer none = operations.state(OperationId.of("POST", "/no", SCOPE), KEY, BOB);

    assertThat(none.status()).isEqualTo(404);
    assertThat(operations.state(ID, KEY, BOB)).isEqualTo(none);
    assertThat(operations.state(ID, KEY, ADA_AT_GLOBEX)).isEqualTo(none);
  }

  @Test
  void cannotBeTalkedIntoTheScopeOfAnother() {
    Caller robot = new Caller("acme", "robot:actor:ada");
    api.send(CREATE.from(robot));
    String byRoute = OperationId.of("POST", MISSIONS.template() + ":actor:robot", SCOPE);
    String byMethod = OperationId.of("POST:" + MISSIONS.template(), "actor:robot", SCOPE);
    String byScope = OperationId.of("POST", MISSIONS.template(), ScopeRule.METHOD_AND_ROUTE);

    assertThat(operations.state(ID, KEY, robot).status()).isEqualTo(200);
    assertThat(operations.state(byRoute, KEY, ADA).status()).isEqualTo(404);
    assertThat(operations.state(byMethod, KEY, ADA).status()).isEqualTo(404);
    assertThat(operations.state(byScope, KEY, ADA).status()).isEqualTo(404);
  }

  @Test
  void asksForTheKeyWhichTheLinkDoesNotContain() {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> operations.state(ID, List.of(), ADA))
        .withMessage("send the Idempotency-Key of the operation")
        .returns(Refusal.KEY_REQUIRED, RefusedException::refusal);
  }

  @Test
  void forgetsWithTheRecord() {
    api.send(CREATE);
    api.clock.advance(Duration.ofHours(24));

    assertThat(operations.state(ID, KEY, ADA).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "!",
        "====",
        "YQ",
        "YQpi",
        "YQpiCgAA",
        "/../../etc/passwd",
        "\u00e9",
        "Cgo",
        "UE9TVAoK",
      })
  void knowsNothingAboutIdsThatItDidNotMake(String id) {
    assertThat(operations.state(id, KEY, ADA).status()).isEqualTo(404);
  }

  @Test
  void refusesAnEnormousId() {
    assertThat(operations.state("A".repeat(1 << 20), KEY, ADA).status()).isEqualTo(404);
  }

  @Test
  void findsTheIdInItsOwnPathsOnly() {
    assertThat(operations.idIn("/idempotency/operations/abc")).contains("abc");
    assertThat(operations.idIn("/idempotency/operations/")).contains("");
    assertThat(operations.idIn("/idempotency/operations")).isEmpty();
    assertThat(operations.idIn("/v1/idempotency/operations/abc")).isEmpty();
    assertThat(new Operations(Contract.STRICT, api.store).idIn("/idempotency/operations/abc"))
        .isEmpty();
  }

  @Test
  void readsBackTheLongestId() {
    String route = "\u20ac".repeat(Route.MAX_TEMPLATE_CHARS);

    assertThat(OperationId.parse(OperationId.of("PROPPATCH", route, SCOPE)))
        .contains(new OperationId("PROPPATCH", route, SCOPE));
  }
}
