package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
  private static final Redactor REDACTOR = Redactor.standard();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "PASSWORD",
        "Pass_Word",
        "pass-word",
        "p\\u0061ssword",
        "secret",
        "token",
        "accessToken",
        "access_token",
        "ACCESS-TOKEN",
        "Authorization",
        "apiKey",
        "X-API-Key",
        "cardNumber",
        "card_number",
        "cvv",
        "CVC",
        "pin",
        "iban",
        "IBAN",
        "set-cookie"
      })
  void replacesASensitiveMember(String name) {
    assertThat(redact("{\"a\":1,\"" + name + "\":\"hunter2\",\"b\":2}"))
        .isEqualTo("{\"a\":1,\"" + name.replace("\\u0061", "a") + "\":\"[redacted]\",\"b\":2}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1234", "null", "true", "[1,{\"x\":2}]", "{\"x\":{\"pin\":1}}", "\"\""})
  void replacesWhateverTheValueIs(String value) {
    assertThat(redact("[{\"pin\":" + value + "}]")).isEqualTo("[{\"pin\":\"[redacted]\"}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pinned", "tokens_used", "token_type", "shipping", "passwordless", "pan2"})
  void leavesOtherNamesAlone(String name) {
    String json = "{\"" + name + "\":\"x\"}";

    assertThat(redact(json)).isEqualTo(json);
  }

  @Test
  void keepsOrderSpellingOfNumbersAndEverythingElse() {
    String json = "{\"z\":1.50,\"a\":[1E3,-0,null,true],\"m\":{\"y\":\"\\n\u00e9\",\"b\":\"\"}}";

    assertThat(redact(json)).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"+22507012345678\"|\"+************78\"",
        "\"70123456\"|\"******56\"",
        "\"local 70 12 34\"|\"local ** ** 34\"",
        "2250701234567|\"***********67\"",
        "70123456|\"******56\"",
        "123456|123456",
        "1234567890123456|1234567890123456",
        "2250701234567.5|2250701234567.5",
        "-2250701234567|-2250701234567",
        "null|null",
        "[2250701234567,\"70123456\"]|[\"***********67\",\"******56\"]",
        "{\"country\":225,\"at\":1762000000000}|{\"country\":225,\"at\":1762000000000}"
      })
  void masksWhatIsUnderAPhonesName(String value, String masked) {
    assertThat(redact("{\"msisdn\":" + value + "}")).isEqualTo("{\"msisdn\":" + masked + "}");
  }

  @Test
  void masksPhoneNumbersInAnyString() {
    assertThat(redact("[\"call +2250701234567\",{\"note\":\"07 01 23 45 67\"},\"2026-11-01\"]"))
        .isEqualTo("[\"call +***********67\",{\"note\":\"** ** ** ** 67\"},\"2026-11-01\"]");
  }

  @Test
  void leavesNumbersUnderOtherNamesAlone() {
    String json = "{\"amount\":2250701234567,\"created\":1762000000}";

    assertThat(redact(json)).isEqualTo(json);
  }

  @Test
  void seesAPhoneNumberNextToAnEscape() {
    assertThat(redact("[\"a\\n0701234567\\u0009b\",\"\\\\0701234567\\\"\",\"\\u00300701234567\"]"))
        .isEqualTo("[\"a\\n********67\\tb\",\"\\\\********67\\\"\",\"*********67\"]");
  }

  @Test
  void takesMoreNames() {
    Redactor redactor = Redactor.builder().sensitive("nationalId").phone("guardian").build();

    assertThat(redact(redactor, "{\"national_id\":\"A1\",\"Guardian\":70123456,\"pin\":1}"))
        .isEqualTo(
            "{\"national_id\":\"[redacted]\",\"Guardian\":\"******56\",\"pin\":\"[redacted]\"}");
    assertThat(redactor.isSensitive("NATIONAL-ID")).isTrue();
    assertThat(REDACTOR.isSensitive("NATIONAL-ID")).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Redactor.builder().sensitive("_-"))
        .withMessage("name must have a letter or digit, got \"_-\"");
  }

  @Test
  void refusesWhatCanonicalJsonRefuses() {
    Redactor small = Redactor.builder().limits(JsonLimits.DEFAULTS.withMaxBytes(3)).build();

    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> redact("{\"a\":1,\"b\":2,\"a\":3}"));
    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> redact("{\"pin\":[1,]}"));
    assertThatExceptionOfType(JsonRefusedException.class).isThrownBy(() -> redact(small, "[10]"));
  }

  @Test
  void growsWhereReplacementsAreLongerThanWhatTheyReplace() {
    String json = "[" + "{\"pin\":1},".repeat(5_000) + "{\"pin\":1}]";

    assertThat(redact(json)).isEqualTo(json.replace(":1", ":\"[redacted]\""));
  }

  private static String redact(String json) {
    return redact(REDACTOR, json);
  }

  private static String redact(Redactor redactor, String json) {
    return new String(redactor.json(json.getBytes(UTF_8)), UTF_8);
  }
}
