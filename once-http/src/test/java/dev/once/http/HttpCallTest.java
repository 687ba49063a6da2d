package dev.once.http;

import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Fingerprint;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallTest {
  private static final Fingerprinter FINGERPRINTER = Fingerprinter.sha256();
  private static final TestCall FULL =
      CREATE.withQuery("a=1&b=2").withIfMatch("\"3\"").withBody("{\"a\":1,\"b\":[2]}");

  static Stream<TestCall> otherRequests() {
    return Stream.of(
        FULL.withMethod("PUT"),
        FULL.withPath("/v1/projects/8/missions"),
        FULL.withPath("/v1/projects/7/missions/"),
        FULL.withQuery(""),
        FULL.withQuery("a=1&b=3"),
        FULL.withQuery("a=1"),
        FULL.withIfMatch(),
        FULL.withIfMatch(""),
        FULL.withIfMatch("\"4\""),
        FULL.withIfMatch("W/\"3\""),
        FULL.withIfMatch("*"),
        FULL.from(ADA_AT_GLOBEX),
        FULL.withBody("{\"a\":1,\"b\":[2,2]}"),
        FULL.withBody("{\"a\":1}"),
        FULL.withBody("{\"a\":\"1\",\"b\":[2]}"),
        FULL.withBody(""),
        FULL.withBody("", ""),
        FULL.withBody("text/plain", "{\"a\":1,\"b\":[2]}"));
  }

  // E1
  @ParameterizedTest
  @MethodSource("otherRequests")
  void isAnotherRequestIfAnyPartDiffers(TestCall other) {
    assertThat(fingerprint(other)).isNotEqualTo(fingerprint(FULL));
  }

  static Stream<TestCall> sameRequests() {
    return Stream.of(
        FULL.withQuery("b=2&a=1"),
        FULL.withQuery("%61=1&b=2"),
        FULL.withBody("{\"b\":[2],\"a\":1}"),
        FULL.withBody(" {\n\"b\" : [2.0], \"a\" : 1e0 } "),
        FULL.withBody("application/json; charset=utf-8", "{\"a\":1.0,\"b\":[2]}"),
        FULL.withBody("APPLICATION/JSON", FULL.body()),
        FULL.withKey("another-key"));
  }

  // A5
  @ParameterizedTest
  @MethodSource("sameRequests")
  void isTheSameRequestHoweverItIsSpelled(TestCall same) {
    assertThat(fingerprint(same)).isEqualTo(fingerprint(FULL));
  }

  // JC-7
  @Test
  void distinguishesAmountsThatBinary64Rounds() {
    assertThat(fingerprint(CREATE.withBody("9007199254740993")))
        .isNotEqualTo(fingerprint(CREATE.withBody("9007199254740992")));
  }

  // CR-10
  @Test
  void readsLinesOfIfMatchAsOneList() {
    assertThat(fingerprint(CREATE.withIfMatch("\"1\"", "\"2\"")))
        .isEqualTo(fingerprint(CREATE.withIfMatch("\"1\",\"2\"")));
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, text/html",
    "application/x-www-form-urlencoded, multipart/form-data",
    "application/octet-stream, ''",
    "application/merge-patch+json, application/json-patch+json",
  })
  void distinguishesBytesOfAnotherMediaType(String type, String other) {
    assertThat(fingerprint(CREATE.withBody(type, "1")))
        .isNotEqualTo(fingerprint(CREATE.withBody(other, "1")));
  }

  @Test
  void ignoresParametersAndCaseOfAMediaType() {
    assertThat(fingerprint(CREATE.withBody("text/plain;format=flowed", "a")))
        .isEqualTo(fingerprint(CREATE.withBody(" Text/Plain ", "a")))
        .isNotEqualTo(fingerprint(CREATE.withBody("text/plain", "b")));
  }

  @Test
  void comparesTheCharsetWhichDecidesWhatTheBytesMean() {
    assertThat(fingerprint(CREATE.withBody("text/plain; charset=ISO-8859-1", "a")))
        .isEqualTo(fingerprint(CREATE.withBody("text/plain;Charset=\"iso-8859-1\"", "a")))
        .isNotEqualTo(fingerprint(CREATE.withBody("text/plain;charset=utf-8", "a")))
        .isNotEqualTo(fingerprint(CREATE.withBody("text/plain", "a")));
  }

  @Test
  void readsJsonWithoutACharsetAsUtf8() {
    assertThat(fingerprint(CREATE.withBody("application/json;charset=UTF-8", "1")))
        .isEqualTo(fingerprint(CREATE.withBody("application/json", "1")))
        .isNotEqualTo(fingerprint(CREATE.withBody("application/json;charset=utf-16", "1")));
  }

  @Test
  void comparesChosenHeaders() {
    HttpCall call = CREATE.toHttp();

    assertThat(fingerprint(call.withHeaders(List.of("prefer: return=minimal"))))
        .isEqualTo(fingerprint(call.withHeaders(List.of("prefer: return=minimal"))))
        .isNotEqualTo(fingerprint(call.withHeaders(List.of("prefer: respond-async"))))
        .isNotEqualTo(fingerprint(call));
  }

  @Test
  void distinguishesNoBodyFromAnEmptyOne() {
    assertThat(
            List.of(
                fingerprint(CREATE.withBody("", "")),
                fingerprint(CREATE.withBody("text/plain", "")),
                fingerprint(CREATE.withBody("application/json", "")),
                fingerprint(CREATE.withBody("application/json", "\"\"")),
                fingerprint(CREATE.withBody("application/json", "null"))))
        .doesNotHaveDuplicates();
  }

  // JC-11
  @Test
  void comparesMalformedJsonByItsBytes() {
    Fingerprint malformed = fingerprint(CREATE.withBody("{\"a\":1"));

    assertThat(fingerprint(CREATE.withBody("{\"a\":1"))).isEqualTo(malformed);
    assertThat(fingerprint(CREATE.withBody("{\"a\": 1"))).isNotEqualTo(malformed);
    assertThat(fingerprint(CREATE.withBody("", "{\"a\":1"))).isNotEqualTo(malformed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1,\"\\u0061\":2}", "\"\\udc00\"", "1e-99999999", "[[1e7000]]"})
  void refusesJsonWithoutASingleMeaning(String body) {
    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> fingerprint(CREATE.withBody(body)));
  }

  @Test
  void hasTheAlgorithmOfItsFingerprinter() {
    assertThat(fingerprint(CREATE).algorithm()).isEqualTo("json1-sha256");
  }

  private static Fingerprint fingerprint(HttpCall call) {
    return call.fingerprint(FINGERPRINTER, "acme");
  }

  private static Fingerprint fingerprint(TestCall call) {
    return call.toHttp().fingerprint(FINGERPRINTER, call.caller().tenant());
  }
}
