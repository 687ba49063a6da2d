package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoverageTest {
  private static final Route ANY = Route.of("/v1/orders", Route.Mode.LEASED);
  private static final Route CHOSEN = Route.of("/v1/orders", Route.Mode.LEASED).withChosen(true);

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void coversWrites(String method) {
    assertThat(Coverage.everyWrite(true).covers(method, ANY)).isTrue();
    assertThat(Coverage.chosenRoutes(true).covers(method, ANY)).isFalse();
    assertThat(Coverage.chosenRoutes(true).covers(method, CHOSEN)).isTrue();
  }

  // A3
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
  void neverCoversReads(String method) {
    assertThat(Coverage.everyWrite(true).covers(method, CHOSEN)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Coverage.everyWrite(true).withMethods(Set.of("POST", method)))
        .withMessage(
            method + " changes nothing and never touches the store: take it out of the methods");
  }

  @Test
  void refusesAMethodThatNoRequestHas() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Coverage.everyWrite(true).withMethods(Set.of("post")))
        .withMessage("method must be in upper case, got post");
  }

  @Test
  void letsARouteSayWhetherItNeedsAKey() {
    Route needsOne = Route.of("/v1/orders", Route.Mode.LEASED).withKeyRequired(true);
    Route needsNone = Route.of("/v1/orders", Route.Mode.LEASED).withKeyRequired(false);
    TestCall keyless = TestCall.CREATE.withKey();

    try (TestApi strict = new TestApi(Contract.STRICT);
        TestApi planning = new TestApi(Contract.PLANNING)) {
      assertThat(strict.send(keyless.withRoute(needsNone, "/v1/orders")).status()).isEqualTo(201);
      assertThat(planning.send(keyless.withRoute(needsOne, "/v1/orders")).status()).isEqualTo(400);
    }
  }
}
