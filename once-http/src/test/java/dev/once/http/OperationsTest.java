package dev.once.http;

import static dev.once.http.ContractTests.body;
import static dev.once.http.ContractTests.header;
import static dev.once.http.TestCall.ADA;
import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static dev.once.http.TestCall.MISSIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsTest {
  private static final String ID = OperationId.of("POST", MISSIONS.template(), CREATE.key().get(0));

  private final TestApi api = new TestApi(Contract.ASYNC);
  private final Operations operations = new Operations(Contract.ASYNC, api.store);

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void showsAnOperationInFlight() {
    api.begin(CREATE);

    HttpAnswer answer = operations.state(ID, ADA);

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

    HttpAnswer answer = operations.state(ID, ADA);

    assertThat(body(answer).at("/state").stringValue()).isEqualTo("completed");
    assertThat(body(answer).at("/status").intValue()).isEqualTo(201);
    assertThat(body(answer).has("mission")).isFalse();
    assertThat(header(answer, "Retry-After")).isEqualTo("absent");
  }

  @Test
  void showsAFailureAsSuch() {
    api.handler = () -> TestApi.json(422, "{}");
    api.send(CREATE);

    assertThat(body(operations.state(ID, ADA)).at("/state").stringValue()).isEqualTo("failed");
    assertThat(body(operations.state(ID, ADA)).at("/status").intValue()).isEqualTo(422);
  }

  @Test
  void showsNothingOfAnotherCallerOrTenant() {
    api.send(CREATE);

    HttpAnswer none = operations.state(OperationId.of("POST", "/no", "k"), BOB);

    assertThat(none.status()).isEqualTo(404);
    assertThat(operations.state(ID, BOB)).isEqualTo(none);
    assertThat(operations.state(ID, ADA_AT_GLOBEX)).isEqualTo(none);
  }

  @Test
  void cannotBeTalkedIntoTheScopeOfAnother() {
    Caller robot = new Caller("acme", "robot:actor:ada");
    api.send(CREATE.from(robot));
    String key = CREATE.key().get(0);
    String byRoute = OperationId.of("POST", MISSIONS.template() + ":actor:robot", key);
    String byMethod = OperationId.of("POST:" + MISSIONS.template(), "actor:robot", key);

    assertThat(operations.state(ID, robot).status()).isEqualTo(200);
    assertThat(operations.state(byRoute, ADA).status()).isEqualTo(404);
    assertThat(operations.state(byMethod, ADA).status()).isEqualTo(404);
  }

  @Test
  void forgetsWithTheRecord() {
    api.send(CREATE);
    api.clock.advance(Duration.ofHours(24));

    assertThat(operations.state(ID, ADA).status()).isEqualTo(404);
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
    assertThat(operations.state(id, ADA).status()).isEqualTo(404);
  }

  @Test
  void refusesAnEnormousId() {
    assertThat(operations.state("A".repeat(1 << 20), ADA).status()).isEqualTo(404);
    assertThat(operations.state(OperationId.of("POST", "/", "k".repeat(1000)), ADA).status())
        .isEqualTo(404);
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
    String key = "k".repeat(255);

    assertThat(OperationId.parse(OperationId.of("PROPPATCH", route, key)))
        .contains(new OperationId("PROPPATCH", route, key));
  }
}
