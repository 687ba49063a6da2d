package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.once.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeRuleTest {
  @ParameterizedTest
  @CsvSource({
    "ROUTE, api:/v1/orders",
    "METHOD_AND_ROUTE, api:POST:/v1/orders",
    "ROUTE_AND_CALLER, api:/v1/orders:actor:ada",
    "METHOD_ROUTE_AND_CALLER, api:POST:/v1/orders:actor:ada",
    "CALLER, api:actor:ada",
    "TENANT, api",
  })
  void namesAFamilyOfKeys(ScopeRule rule, String scope) {
    assertThat(rule.scope("POST", "/v1/orders", TestCall.ADA)).isEqualTo(scope);
  }

  @ParameterizedTest
  @EnumSource(ScopeRule.class)
  void fitsIntoAKeyAtTheLimitsOfItsParts(ScopeRule rule) {
    Caller caller = new Caller("\u20ac".repeat(128), "\u20ac".repeat(128));
    String scope = rule.scope("PROPPATCH", "\u20ac".repeat(Route.MAX_TEMPLATE_CHARS), caller);

    assertThat(new Key(caller.tenant(), scope, "k".repeat(255)).scope()).isEqualTo(scope);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1:actor:ada", "/v1:actor", ":actor:", "/v1:actor:actor"})
  void keepsRoutesAndCallersApart(String template) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of(template, Route.Mode.LEASED))
        .withMessageContaining("route must not contain :actor:");
  }

  @Test
  void letsRoutesHaveActionsBehindAColon() {
    assertThat(Route.of("/v1/missions/{id}:lock", Route.Mode.LEASED).template())
        .isEqualTo("/v1/missions/{id}:lock");
    assertThat(Route.of("/v1/actor:act", Route.Mode.LEASED)).isNotNull();
  }

  @Test
  void refusesRoutesAndCallersOutsideTheirLimits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of("", Route.Mode.LEASED))
        .withMessage("route must have 1 to 256 characters, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.of("r".repeat(257), Route.Mode.LEASED));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Caller("", "ada"))
        .withMessage("tenant must have 1 to 128 characters, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Caller("acme", "a".repeat(256)))
        .withMessage("caller must have 1 to 255 characters, got 256");
  }

  @Test
  void hasRoomForLongCallersByTheirDigest() {
    String longest = "a".repeat(255);
    String scope =
        ScopeRule.ROUTE_AND_CALLER.scope("DELETE", "/" + "r".repeat(255), new Caller("t", longest));

    assertThat(new Key("t", scope, "k")).isNotNull();
    assertThat(scope)
        .doesNotContain(longest)
        .isNotEqualTo(
            ScopeRule.ROUTE_AND_CALLER.scope(
                "DELETE", "/" + "r".repeat(255), new Caller("t", "b".repeat(255))));
  }
}
