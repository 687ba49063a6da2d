package dev.once.http;

import static dev.once.http.TestCall.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.json.Fingerprinter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

// B12
class IfMatchParameterTest {
  private static final TestCall PATCH =
      CREATE.withMethod("PATCH").withQuery("a=1").withBody("{\"name\":\"Mars\"}");

  static Stream<TestCall> withTheRevision() {
    return Stream.of(
        PATCH.withIfMatch("\"3\""),
        PATCH.withQuery("if_match=3&a=1"),
        PATCH.withQuery("a=1&if_match=%223%22"),
        PATCH.withQuery("a=1&if%5Fmatch=\"3\""),
        PATCH.withBody("{\"name\":\"Mars\",\"if_match\":\"3\"}"),
        PATCH.withBody("{\"if_match\":\"\\\"3\\\"\",\"name\":\"Mars\"}"),
        PATCH.withBody("{\"if_match\":3,\"name\":\"Mars\"}"),
        PATCH.withBody("{\"if\\u005fmatch\":3.0,\"name\":\"Mars\"}"),
        PATCH.withBody("application/merge-patch+json", "{\"if_match\":3,\"name\":\"Mars\"}"),
        PATCH.withIfMatch("\"3\"").withQuery("if_match=3&a=1"),
        PATCH.withQuery("if_match=3&a=1").withBody("{\"if_match\":3,\"name\":\"Mars\"}"),
        PATCH.withIfMatch("\"3\"").withBody("{\"if_match\":null,\"name\":\"Mars\"}"));
  }

  @ParameterizedTest
  @MethodSource("withTheRevision")
  void readsTheRevisionFromHeaderQueryAndBody(TestCall call) {
    assertThatCode(() -> require(call)).doesNotThrowAnyException();
  }

  static Stream<TestCall> withAnotherRevision() {
    return Stream.of(
        PATCH.withQuery("if_match=2"),
        PATCH.withQuery("if_match=W/\"3\""),
        PATCH.withBody("{\"if_match\":\"2\"}"),
        PATCH.withBody("{\"if_match\":30}"));
  }

  @ParameterizedTest
  @MethodSource("withAnotherRevision")
  void stopsIfItIsAnotherOne(TestCall call) {
    refuses(call, Refusal.VERSION_MISMATCH);
  }

  static Stream<TestCall> withoutARevision() {
    return Stream.of(
        PATCH,
        PATCH.withQuery("xif_match=3&if_match2=3&%zz=3"),
        PATCH.withBody("{\"if_match\":null}"),
        PATCH.withBody("{\"name\":{\"if_match\":3}}"),
        PATCH.withBody("[\"if_match\",3]"),
        PATCH.withBody(""),
        PATCH.withBody("text/plain", "{\"if_match\":3}"),
        PATCH.withBody("application/x-www-form-urlencoded", "if_match=3"));
  }

  @ParameterizedTest
  @MethodSource("withoutARevision")
  void stopsIfThereIsNone(TestCall call) {
    refuses(call, Refusal.IF_MATCH_REQUIRED);
  }

  static Stream<TestCall> notAccepted() {
    return Stream.of(
        PATCH.withQuery("if_match=3&if_match=3"),
        PATCH.withQuery("if_match=%223%22,%224%22"),
        PATCH.withQuery("if_match=3,4"),
        PATCH.withQuery("if_match="),
        PATCH.withQuery("if_match"),
        PATCH.withQuery("if_match=%223"),
        PATCH.withQuery("if_match=3%"),
        PATCH.withQuery("if_match=a+b"),
        PATCH.withQuery("if_match=*"),
        PATCH.withBody("{\"if_match\":\"\"}"),
        PATCH.withBody("{\"if_match\":\"a\\nb\"}"),
        PATCH.withBody("{\"if_match\":3.5}"),
        PATCH.withBody("{\"if_match\":-3}"),
        PATCH.withBody("{\"if_match\":[3]}"),
        PATCH.withBody("{\"if_match\":true}"),
        PATCH.withBody("{\"if_match\":3,\"if_match\":3}"),
        PATCH.withBody("{\"if_match\":3"),
        PATCH.withBody("{\"if_match\":\"" + "3".repeat(EntityTags.MAX_CHARS) + "\"}"),
        PATCH.withIfMatch("3").withQuery("if_match=3"));
  }

  @ParameterizedTest
  @MethodSource("notAccepted")
  void refusesWhatIsNotOneEntityTag(TestCall call) {
    refuses(call, Refusal.IF_MATCH_INVALID);
  }

  static Stream<TestCall> inDisagreement() {
    return Stream.of(
        PATCH.withIfMatch("\"3\"").withQuery("if_match=2"),
        PATCH.withIfMatch("\"3\"").withBody("{\"if_match\":2}"),
        PATCH.withIfMatch("\"3\", \"2\"").withQuery("if_match=3"),
        PATCH.withIfMatch("\"3\"").withQuery("if_match=W/\"3\""),
        PATCH.withQuery("if_match=3").withBody("{\"if_match\":2}"));
  }

  @ParameterizedTest
  @MethodSource("inDisagreement")
  void refusesTwoRevisionsInOneRequest(TestCall call) {
    assertThat(refuses(call, Refusal.IF_MATCH_INVALID))
        .isEqualTo(
            "If-Match and if_match name different revisions: send one of them, or the same in both");
  }

  @Test
  void leavesABodyThatIsNotJsonToTheHandlerIfTheHeaderNamesTheRevision() {
    assertThatCode(() -> require(PATCH.withIfMatch("\"3\"").withBody("{\"if_match\":")))
        .doesNotThrowAnyException();
  }

  @Test
  void isOnlyForPlanning() {
    for (Contract contract : Contract.all()) {
      assertThat(contract.ifMatch().parameterAllowed()).isEqualTo(contract == Contract.PLANNING);
    }
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(
            () ->
                IfMatch.of(Contract.STRICT, PATCH.withQuery("if_match=3").toHttp())
                    .require(EntityTag.strong("3")))
        .satisfies(e -> assertThat(e.refusal()).isEqualTo(Refusal.IF_MATCH_REQUIRED));
  }

  @Test
  void readsTheBodyOfARequestWithoutAKeyOnlyIfItIsJson() {
    HttpOnce planning = new HttpOnce(Contract.PLANNING, Fingerprinter.sha256());
    HttpOnce strict = new HttpOnce(Contract.STRICT, Fingerprinter.sha256());

    assertThat(planning.readsRevision("application/json; charset=utf-8")).isTrue();
    assertThat(planning.readsRevision("text/plain")).isFalse();
    assertThat(planning.readsRevision("")).isFalse();
    assertThat(strict.readsRevision("application/json")).isFalse();
  }

  @Test
  void isTheSameRequestWhereverTheRevisionIs() {
    List<Fingerprint> all =
        withTheRevision()
            .filter(it -> it.contentType().equals("application/json"))
            .filter(it -> !it.body().contains("null"))
            .map(it -> fingerprint(Contract.PLANNING, it))
            .toList();

    assertThat(all).hasSize(10).containsOnly(all.get(0));
    assertThat(fingerprint(Contract.STRICT, PATCH.withIfMatch("\"3\""))).isEqualTo(all.get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"if_match=2&a=1", "a=1", "if_match=3,4&a=1", "if_match=3&if_match=3&a=1"})
  void isAnotherRequestWithAnotherRevision(String query) {
    assertThat(fingerprint(Contract.PLANNING, PATCH.withQuery(query)))
        .isNotEqualTo(fingerprint(Contract.PLANNING, PATCH.withQuery("if_match=3&a=1")));
  }

  @Test
  void comparesTheParameterAsSentUnderOtherContracts() {
    assertThat(fingerprint(Contract.STRICT, PATCH.withQuery("a=1&if_match=3")))
        .isNotEqualTo(fingerprint(Contract.STRICT, PATCH.withIfMatch("\"3\"")));
  }

  private static Fingerprint fingerprint(Contract contract, TestCall call) {
    return new HttpOnce(contract, Fingerprinter.sha256())
        .operation("k", call.toHttp(), call.route(), call.caller(), Headers.NONE)
        .request()
        .fingerprint();
  }

  private static void require(TestCall call) {
    IfMatch.of(Contract.PLANNING, call.toHttp()).require(EntityTag.strong("3"));
  }

  private static String refuses(TestCall call, Refusal refusal) {
    RefusedException refused = assertThrows(RefusedException.class, () -> require(call));
    assertThat(refused.refusal()).isEqualTo(refusal);
    return refused.detail();
  }
}
