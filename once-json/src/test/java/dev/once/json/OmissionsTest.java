package dev.once.json;

import static dev.once.json.Spellings.canonical;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.once.json.JsonRefusedException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OmissionsTest {
  private static final CanonicalJson ALL = CanonicalJson.standard();

  @Test
  void leavesOutANameAtAnyDepth() {
    CanonicalJson rule = ALL.withoutNamed("ts");

    assertThat(canonical(rule, "{\"ts\":1,\"b\":[{\"ts\":{\"x\":1},\"a\":2}],\"a\":{\"ts\":3}}"))
        .isEqualTo("{\"a\":{},\"b\":[{\"a\":2}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"2026-11-15T10:00:00Z\"",
        "\"2026-11-15T10:00:00.123456+02:00\"",
        "\"2026-11-15T10:00:00\"",
        "1763200000",
        "1763200000.25",
        "1763200000123",
        "1.7632e12"
      })
  void leavesOutATimeWithAName(String time) {
    CanonicalJson rule = ALL.withoutTimesNamed("sentAt");

    assertThat(canonical(rule, "{\"a\":[{\"sentAt\":%s,\"b\":1}]}".formatted(time)))
        .isEqualTo("{\"a\":[{\"b\":1}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"2026-11-15\"",
        "\"10:00\"",
        "\"tomorrow\"",
        "\"\"",
        "\"1763200000\"",
        "7",
        "-1763200000",
        "20261115",
        "true",
        "null",
        "[1763200000]",
        "{\"a\":1763200000}"
      })
  void keepsWhatIsNoTimeWithTheSameName(String value) {
    String json = "{\"sentAt\":%s}".formatted(value);

    assertThat(canonical(ALL.withoutTimesNamed("sentAt"), json)).isEqualTo(json);
  }

  @Test
  void followsPointersAndNamesBelowAMemberThatIsNoTime() {
    CanonicalJson rule = ALL.withoutTimesNamed("sentAt").withoutAt("/sentAt/a").withoutNamed("b");

    assertThat(canonical(rule, "{\"sentAt\":{\"a\":1,\"b\":2,\"c\":{\"sentAt\":1763200000}}}"))
        .isEqualTo("{\"sentAt\":{\"c\":{}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/a; {\"a\":1,\"b\":{\"a\":2}}; {\"b\":{\"a\":2}}",
        "/b/a; {\"a\":1,\"b\":{\"a\":2}}; {\"a\":1,\"b\":{}}",
        "/a~1b; {\"a/b\":1,\"a\":{\"b\":2}}; {\"a\":{\"b\":2}}",
        "/m~0n; {\"m~n\":1,\"m\":2}; {\"m\":2}",
        "/~01; {\"~1\":1,\"/\":2}; {\"/\":2}",
        "/; {\"\":1,\"a\":2}; {\"a\":2}",
        "/a/1; {\"a\":[1,2,3]}; {\"a\":[1,3]}",
        "/a/0; {\"a\":[1,2,3]}; {\"a\":[2,3]}",
        "/a/2; {\"a\":[1,2,3]}; {\"a\":[1,2]}",
        "/a/0; {\"a\":[1]}; {\"a\":[]}",
        "/a/01; {\"a\":[1,2,3]}; {\"a\":[1,2,3]}",
        "/a/0; {\"a\":{\"0\":1}}; {\"a\":{}}",
        "/a/0/t; {\"a\":[{\"t\":1},{\"t\":2}]}; {\"a\":[{},{\"t\":2}]}",
        "/a/-; {\"a\":[1]}; {\"a\":[1]}",
        "/x/y; {\"x\":1}; {\"x\":1}",
        "/c/d; {\"c\":{\"d\":{\"d\":[1,{\"z\":1}]},\"e\":1}}; {\"c\":{\"e\":1}}"
      })
  void leavesOutWhatAPointerPointsAt(String pointer, String json, String expected) {
    assertThat(canonical(ALL.withoutAt(pointer), json)).isEqualTo(expected);
  }

  @Test
  void countsTheElementsThatWereReceived() {
    CanonicalJson rule = ALL.withoutAt("/0").withoutAt("/1").withoutAt("/3");

    assertThat(canonical(rule, "[10,11,12,13,14]")).isEqualTo("[12,14]");
  }

  @Test
  void matchesNamesHoweverTheyAreEscaped() {
    assertThat(canonical(ALL.withoutNamed("\u00e9\n"), "{\"\\u00e9\\u000a\":1}")).isEqualTo("{}");
    assertThat(canonical(ALL.withoutAt("/ts"), "{\"\\u0074s\":1,\"t\":2}")).isEqualTo("{\"t\":2}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"ts\":1e999999999}; EXPONENT_TOO_LARGE",
        "{\"ts\":{\"a\":1,\"a\":1}}; DUPLICATE_NAME",
        "{\"ts\":1,\"ts\":2}; DUPLICATE_NAME",
        "{\"ts\":[1,\"\\ud800\"]}; LONE_SURROGATE",
        "{\"ts\":[1,}; SYNTAX"
      })
  void stillChecksWhatItLeavesOut(String json, Reason reason) {
    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> canonical(ALL.withoutNamed("ts"), json))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "#/a", "/a~", "/~2"})
  void refusesWhatIsNoPointerBelowTheRoot(String pointer) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ALL.withoutAt(pointer))
        .withMessageContaining("pointer");
  }

  @Test
  void takesSixtyTwoPointersAndNoMore() {
    CanonicalJson rule = ALL;
    for (int i = 0; i < 62; i++) {
      rule = rule.withoutAt("/" + i);
    }
    CanonicalJson full = rule;

    assertThat(canonical(full, "{\"0\":0,\"61\":61,\"62\":62}")).isEqualTo("{\"62\":62}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> full.withoutAt("/62"))
        .withMessage("at most 62 pointers can be left out, got 63");
  }
}
