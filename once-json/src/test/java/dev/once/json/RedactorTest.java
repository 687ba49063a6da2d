package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        "set-cookie",
        "userPassword",
        "db_password",
        "DB_PASSWORD",
        "user password",
        "spring.datasource.password",
        "apiToken",
        "APIToken",
        "csrf_token",
        "hub.verify_token",
        "aws_secret_access_key",
        "awsSecretAccessKey",
        "Ocp-Apim-Subscription-Key",
        "oauth2token",
        "tokens",
        "passwords",
        "apiKeys",
        "userOTPs",
        "credentials",
        "password2",
        "password_1",
        "pan2",
        "password\\n",
        "password\\u0000",
        "pass\\u0000word",
        "\\tuser_password\\\"",
        "pass\u200bword",
        "\uff50\uff41\uff53\uff53word",
        "mot_de_passe"
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
      strings = {
        "pinned",
        "tokens_used",
        "token_type",
        "token_count",
        "tokenCount",
        "pin_code_length",
        "password_changed_at",
        "passwordChangedAt",
        "password_hash_algorithm",
        "keyboard",
        "key",
        "secretary",
        "shipping",
        "opinion",
        "monkey",
        "Spanish",
        "time_span",
        "passwordless",
        "compass",
        "pass",
        "has_password",
        "isSecret",
        "requiresOtp",
        "max_tokens",
        "promptTokens",
        "password\\nlength",
        "",
        "s",
        "___"
      })
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"number\":27821234567}|{\"number\":\"*********67\"}",
        "{\"number\":\"70123456\"}|{\"number\":\"******56\"}",
        "{\"id\":\"1750263773\"}|{\"id\":\"********73\"}",
        "[{\"home\":[27821234567]}]|[{\"home\":[\"*********67\"]}]",
        "{\"a\":{\"b\":\"70 12 34\"}}|{\"a\":{\"b\":\"** ** 34\"}}",
        "{\"pin\":1}|{\"pin\":\"[redacted]\"}"
      })
  void masksWhatIsInsideAnObjectUnderAPhonesName(String value, String masked) {
    assertThat(redact("{\"phone\":" + value + "}")).isEqualTo("{\"phone\":" + masked + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"country\":225,\"verified_at\":1762000000000}",
        "{\"verifiedAt\":\"1762000000\"}",
        "{\"since\":\"2026-11-01T08:30:00Z\",\"day\":\"2026-11-01\"}",
        "{\"id\":\"12345678-1234-4123-8123-123456789012\"}",
        "{\"note\":\"order 123456\"}",
        "{\"amount\":1250000,\"ok\":true}"
      })
  void leavesOtherThingsInsideSuchAnObjectAlone(String value) {
    String json = "{\"sms\":" + value + "}";

    assertThat(redact(json)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "userPhone",
        "display_phone_number",
        "phones",
        "phone2",
        "wa_id",
        "recipient_id",
        "partyId",
        "t\u00e9l\u00e9phone",
        "phone\\n"
      })
  void knowsALongerNameOfAPhone(String name) {
    assertThat(redact("{\"" + name + "\":\"1650555123\"}"))
        .isEqualTo("{\"" + name + "\":\"********23\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id",
        "ids",
        "financialTransactionId",
        "externalId",
        "phone_number_id",
        "userID",
        "userIDs",
        "order_id",
        "reference",
        "payment-ref",
        "timestamp",
        "sent_at",
        "time",
        "amount",
        "code",
        "order_number",
        "invoiceNumber"
      })
  void leavesDigitsUnderTheNameOfAReferenceAlone(String name) {
    String digits = "{\"" + name + "\":[\"4673312345\",\"233823456789\"]}";

    assertThat(redact(digits)).isEqualTo(digits);
    assertThat(redact("{\"" + name + "\":\"+4673312345\"}")).contains("\"+********45\"");
    assertThat(redact("{\"" + name + "\":\"467 331 2345\"}")).contains("\"*** *** **45\"");
    assertThat(redact("{\"" + name + "\":{\"x\":\"4673312345\"}}")).contains("\"********45\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"number", "contactNumber", "from", "idea", "format", "valid", "encoded"})
  void masksDigitsUnderOtherNames(String name) {
    assertThat(redact("{\"" + name + "\":\"4673312345\"}")).contains("\"********45\"");
  }

  @Test
  void masksTheSampleOfWhatsAppWhereItHasPhoneNumbers() {
    String json =
        "{\"entry\":[{\"id\":\"102290129340398\",\"value\":{\"metadata\":{"
            + "\"display_phone_number\":\"%s\",\"phone_number_id\":\"106540352242922\"},"
            + "\"messages\":[{\"from\":\"%s\",\"id\":\"wamid.X\",\"timestamp\":\"1750263773\"}],"
            + "\"statuses\":[{\"timestamp\":\"1750263773\",\"recipient_id\":\"%s\"}]}}]}";

    assertThat(redact(json.formatted("15550783881", "16505551234", "16505551234")))
        .isEqualTo(json.formatted("*********81", "*********34", "*********34"));
  }

  @Test
  void masksTheCallbackOfMoMoWhereItHasPhoneNumbers() {
    String json =
        "{\"financialTransactionId\":\"1234567890\",\"externalId\":\"987654321\",\"amount\":\"100\","
            + "\"payer\":{\"partyIdType\":\"MSISDN\",\"partyId\":\"%s\"},\"status\":\"SUCCESSFUL\"}";

    assertThat(redact(json.formatted("46733123453"))).isEqualTo(json.formatted("*********53"));
  }

  @Test
  void masksNamesThatLookLikePhoneNumbers() {
    assertThat(redact("{\"+27821234567\":{\"a\":1},\"082 123 4567\":[{\"0821234567\":2}]}"))
        .isEqualTo("{\"+*********67\":{\"a\":1},\"*** *** **67\":[{\"********67\":2}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1750263773", "2026-11-01", "order_1234567890", "12345678", "a\\n1"})
  void leavesOtherNamesWithDigitsAlone(String name) {
    String json = "{\"" + name + "\":1}";

    assertThat(redact(json)).isEqualTo(json);
  }

  @Test
  void countsNamesWhoseMasksAreTheSame() {
    String json = "{\"+27821234567\":1,\"+27830000067\":2,\"+*********67~2\":3,\"+27840000067\":4}";

    String redacted = redact("[" + json + ",{\"+27830000067\":5}]");

    assertThat(redacted)
        .isEqualTo(
            "[{\"+*********67\":1,\"+*********67~3\":2,\"+*********67~2\":3,"
                + "\"+*********67~4\":4},{\"+*********67~3\":5}]");
    assertThat(redact(redacted)).isEqualTo(redacted);
  }

  @Test
  void refusesAPhoneNumberThatIsANameTwice() {
    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> redact("{\"+27821234567\":1,\"+27821234567\":2}"));
  }

  @Test
  void forgetsTheNamesInsideWhatItReplaces() {
    assertThat(redact("{\"pin\":[{\"+27821234567\":1}],\"+27831234567\":2}"))
        .isEqualTo("{\"pin\":\"[redacted]\",\"+*********67\":2}");
  }

  @Test
  void readsHostileNamesInBoundedTime() {
    String words = "{\"" + "a_".repeat(300_000) + "password\":1}";
    String ligatures = "{\"" + "\ufdfa".repeat(300_000) + "\":1}";
    String phones =
        IntStream.range(0, 50_000)
            .mapToObj(i -> "\"+278%05d67\":0".formatted(i))
            .collect(Collectors.joining(",", "{", "}"));

    long start = System.nanoTime();
    assertThat(redact(words)).endsWith("\"[redacted]\"}");
    assertThat(redact(ligatures)).isEqualTo(ligatures);
    assertThat(redact(phones)).endsWith("\"+********67~50000\":0}");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
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
    assertThat(redactor.isSensitive("holderNationalIds")).isTrue();
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
