package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {
  private static final RefusalRule ACCEPTED = RefusalRule.of(202, "busy", "Busy");

  @Test
  void comesInSix() {
    assertThat(Contract.all())
        .extracting(Contract::name)
        .containsExactly("strict", "planning", "mobile", "async", "ietf", "stripe");
  }

  @Test
  void isFoundByItsName() {
    assertThat(Contract.all()).allSatisfy(it -> assertThat(Contract.named(it.name())).isSameAs(it));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Contract.named("Strict"))
        .withMessage(
            "contract must be one of strict, planning, mobile, async, ietf, stripe, got Strict");
  }

  @Test
  void isItselfWhenNothingIsChanged() {
    assertThat(Contract.all())
        .allSatisfy(
            it -> assertThat(it.toBuilder().build()).usingRecursiveComparison().isEqualTo(it));
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("name", it -> it.name("ours")),
        change("key", it -> it.key(KeyRule.of("X-Request-Key", KeyRule.Form.ASCII, 64))),
        change(
            "coverage", it -> it.coverage(Coverage.everyWrite(true).withMethods(Set.of("POST")))),
        change("scope", it -> it.scope(ScopeRule.CALLER)),
        change("keptStatuses", it -> it.keptStatuses(KeptStatuses.allBut(Set.of(418)))),
        change("keptHeaders", it -> it.keptHeaders(Set.of("ETag"))),
        change("terms", it -> it.maxWait(Duration.ofSeconds(5))),
        change("maxBodyBytes", it -> it.maxBodyBytes(10)),
        change("replayHeaders", it -> it.replayHeaders(ReplayHeaders.of("Replayed", true))),
        change("errors", it -> it.errors(ErrorFormat.ENVELOPE)),
        change("refusals", it -> it.refusal(Refusal.IN_FLIGHT, rule(423, "busy"))),
        change("ifMatch", it -> it.ifMatch(IfMatchRule.of(false, false))),
        change("problems", it -> it.problems(URI.create("https://acme.example/problems/"))));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changesOneSettingAtATime(String setting, UnaryOperator<Contract.Builder> change)
      throws ReflectiveOperationException {
    Contract changed = change.apply(Contract.STRICT.toBuilder()).build();

    for (Field it : Contract.class.getDeclaredFields()) {
      if (!Modifier.isStatic(it.getModifiers())) {
        Method accessor = Contract.class.getMethod(it.getName());
        assertThat(Objects.equals(accessor.invoke(Contract.STRICT), accessor.invoke(changed)))
            .as(it.getName())
            .isNotEqualTo(it.getName().equals(setting));
      }
    }
  }

  @Test
  void waitsOnlyAsLongAsItSays() {
    Contract patient = Contract.STRICT.toBuilder().maxWait(Duration.ofSeconds(5)).build();

    assertThat(patient.terms())
        .isEqualTo(Contract.STRICT.terms().withMaxWait(Duration.ofSeconds(5)));
  }

  @Test
  void changesOneRefusalAndKeepsTheOthers() {
    RefusalRule busy = rule(423, "busy");
    Contract changed = Contract.STRICT.toBuilder().refusal(Refusal.IN_FLIGHT, busy).build();

    assertThat(changed.rule(Refusal.IN_FLIGHT)).isEqualTo(busy);
    assertThat(List.of(Refusal.values()))
        .filteredOn(it -> it != Refusal.IN_FLIGHT)
        .allSatisfy(it -> assertThat(changed.rule(it)).isEqualTo(Contract.STRICT.rule(it)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Set-Cookie", "set-cookie2", "Authorization", "WWW-Authenticate", "Connection",
        "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "TE",
        "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length", "Date",
      })
  void neverKeepsAHeaderOfOneClientConnectionOrMoment(String header) {
    Contract.Builder builder = Contract.STRICT.toBuilder().keptHeaders(Set.of("ETag", header));

    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("never kept");
  }

  // A8
  @Test
  void keepsHeadersByTheirNamesInLowerCase() {
    Contract ours = Contract.STRICT.toBuilder().keptHeaders(Set.of("ETag", "X-Trace")).build();

    assertThat(ours.keptHeaders()).containsExactlyInAnyOrder("etag", "x-trace");
    assertThat(Contract.STRICT.keptHeaders())
        .contains("content-type", "etag", "location", "x-request-id", "x-correlation-id");
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void hasARuleForEveryRefusal(Refusal refusal) {
    assertThat(Contract.all()).allSatisfy(it -> assertThat(it.rule(refusal).title()).isNotBlank());
  }

  @Test
  void usesOneCodeForOneThing() {
    assertThat(Contract.all())
        .allSatisfy(
            it ->
                assertThat(it.refusals().values())
                    .extracting(RefusalRule::code)
                    .doesNotHaveDuplicates());
  }

  @Test
  void refusesABodyLimitOutsideItsLimits() {
    assertThat(Contract.STRICT.toBuilder().maxBodyBytes(0).build().maxBodyBytes()).isZero();
    assertThat(Contract.STRICT.toBuilder().maxBodyBytes(Contract.MAX_BODY_BYTES).build())
        .isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Contract.STRICT.toBuilder().maxBodyBytes(-1).build())
        .withMessage("largest body must have 0 to 67108864 bytes, got -1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Contract.STRICT.toBuilder().maxBodyBytes(Contract.MAX_BODY_BYTES + 1).build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "//", "operations/", "/operations", "https://acme.example/operations"})
  void refusesAPathOfOperationsThatIsNoDirectory(String path) {
    Contract.Builder builder = Contract.ASYNC.toBuilder().operations(Optional.of(path));

    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessage("path of operations must have a name between a / and another, got " + path);
  }

  @ParameterizedTest
  @EnumSource(
      value = ScopeRule.class,
      names = {"ROUTE", "TENANT"})
  void givesNoLinkToOperationsThatCallersShare(ScopeRule scope) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Contract.ASYNC.toBuilder().scope(scope).build())
        .withMessageContaining("does not name the caller");
  }

  @Test
  void acceptsADuplicateInFlightOnlyWithALink() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Contract.ASYNC.toBuilder().operations(Optional.empty()).build())
        .withMessage(
            "a path of operations goes together with a status below 400 for IN_FLIGHT, got none"
                + " and 202");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Contract.PLANNING.toBuilder().operations(Optional.of("/operations/")).build());
    assertThat(
            Contract.PLANNING.toBuilder()
                .operations(Optional.of("/operations/"))
                .refusal(Refusal.IN_FLIGHT, ACCEPTED)
                .build())
        .isNotNull();
  }

  private static Arguments change(String setting, UnaryOperator<Contract.Builder> change) {
    return Arguments.of(setting, change);
  }

  private static RefusalRule rule(int status, String code) {
    return RefusalRule.of(status, code, "Busy");
  }
}
