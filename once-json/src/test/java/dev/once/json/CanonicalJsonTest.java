package dev.once.json;

import static dev.once.json.Spellings.canonical;
import static dev.once.json.Spellings.hex;
import static dev.once.json.Spellings.reason;
import static dev.once.json.Spellings.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.json.JsonRefusedException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
  @Test
  void dropsWhiteSpaceAndSortsMembers() {
    assertThat(canonical(" { \"b\" : [ 1 , 2 ] ,\r\n\t\"a\" : { } } "))
        .isEqualTo("{\"a\":{},\"b\":[1,2]}");
  }

  @Test
  void sortsNamesByUtf16CodeUnits() {
    // U+1F602 is above U+FB33, but its first surrogate D83D is below.
    assertThat(canonical("{\"\ufb33\":1,\"\ud83d\ude02\":2,\"\u20ac\":3,\"z\":4,\"\":5}"))
        .isEqualTo("{\"\":5,\"z\":4,\"\u20ac\":3,\"\ud83d\ude02\":2,\"\ufb33\":1}");
  }

  @Test
  void sortsEscapedNamesAsTheCharactersTheyStandFor() {
    assertThat(canonical("{\"a\":1,\"\\n\":2,\"\\\"\":3,\"\\\\\":4,\"!\":5,\"\\u001f\":6,\"]\":7}"))
        .isEqualTo("{\"\\n\":2,\"\\u001f\":6,\"!\":5,\"\\\"\":3,\"\\\\\":4,\"]\":7,\"a\":1}");
  }

  @Test
  void sortsANameBeforeOnesThatContinueIt() {
    assertThat(canonical("{\"abcdefghi\":1,\"abcdefgh\":2,\"abcdefg\":3,\"abcdefgh!\":4}"))
        .isEqualTo("{\"abcdefg\":3,\"abcdefgh\":2,\"abcdefgh!\":4,\"abcdefghi\":1}");
  }

  @Test
  void spellsEachCharacterInOneWay() {
    assertThat(canonical("\"\\u0041\\/\\u007f\\u000A\\u0022\\u005C\\u001F\\ud83d\\ude02\\u00e9\""))
        .isEqualTo("\"A/\u007f\\n\\\"\\\\\\u001f\ud83d\ude02\u00e9\"");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E+1, 1",
    "100, 100",
    "1e2, 100",
    "-0, 0",
    "-0.0, 0",
    "0e10, 0",
    "-0e-5, 0",
    "0.000, 0",
    "-0.5, -0.5",
    "0.50, 0.5",
    "9007199254740993, 9007199254740993",
    "9007199254740992, 9007199254740992",
    "100000000000000000000, 100000000000000000000",
    "1e20, 100000000000000000000",
    "1000000000000000000000, 1e+21",
    "1e21, 1e+21",
    "12e21, 1.2e+22",
    "1234567890123456789012, 1.234567890123456789012e+21",
    "0.000001, 0.000001",
    "1e-6, 0.000001",
    "0.0000001, 1e-7",
    "123e-9, 1.23e-7",
    "0.1e-5, 0.000001",
    "-12.50, -12.5",
    "12.5e1, 125",
    "12.5e0, 12.5",
    "1.10, 1.1",
    "1.0000000000000000000000000, 1",
    "00.5, SYNTAX",
    "1., SYNTAX",
    ".5, SYNTAX",
    "+1, SYNTAX",
    "01, SYNTAX",
    "-, TRUNCATED",
    "1e, TRUNCATED",
    "1e+, TRUNCATED",
    "0x1, SYNTAX",
    "1e6144, 1e+6144",
    "1e6145, EXPONENT_TOO_LARGE",
    "10e6144, EXPONENT_TOO_LARGE",
    "1e-6144, 1e-6144",
    "0.1e-6144, EXPONENT_TOO_LARGE",
    "-1e400, -1e+400"
  })
  void writesTheExactDecimalValue(String number, String expected) {
    String inside = expected.equals("TRUNCATED") ? number : "[" + number + "]";
    String text = expected.matches("-?[0-9].*") ? "[" + expected + "]" : expected;

    assertThat(textOrReason(inside)).isEqualTo(text);
  }

  @Test
  void countsOnlyDigitsThatMatter() {
    String zeros = "0".repeat(2_000);

    assertThat(canonical("1." + zeros)).isEqualTo("1");
    assertThat(canonical("1".repeat(1_000))).startsWith("1.111").endsWith("e+999");
    assertThat(reason("1".repeat(1_001))).isEqualTo(Reason.TOO_MANY_DIGITS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"b\":0,\"a\":1,\"c\":2,\"a\":3}",
        "{\"\\n\":1,\"\\u000a\":2}",
        "{\"\u00e9\":1,\"\\u00e9\":2}",
        "[{\"x\":{\"\":1,\"y\":2,\"\":3}}]",
        "{\"a\":1,\"b\":{\"a\":1},\"a\":1}"
      })
  void refusesANameThatIsThereTwice(String json) {
    assertThat(reason(json)).isEqualTo(Reason.DUPLICATE_NAME);
  }

  @Test
  void allowsANameAgainInAnotherObject() {
    assertThat(canonical("[{\"a\":{\"a\":1}},{\"a\":1}]"))
        .isEqualTo("[{\"a\":{\"a\":1}},{\"a\":1}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud800\":1}",
        "{\"a\\udfff\":1}"
      })
  void refusesASurrogateWithoutPartner(String json) {
    assertThat(reason(json)).isEqualTo(Reason.LONE_SURROGATE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22 c0 af 22",
        "22 c1 bf 22",
        "22 e0 80 af 22",
        "22 f0 80 80 af 22",
        "22 ed a0 80 22",
        "22 ed bf bf 22",
        "22 f4 90 80 80 22",
        "22 f5 80 80 80 22",
        "22 80 22",
        "22 e2 82 22",
        "22 e2",
        "22 f0 9f 98",
        "22 ff 22",
        "ef bb bf 31",
        "fe ff 00 31",
        "ff fe 31 00",
        "00 31",
        "31 00",
        "00 00 00 31",
        "7b 22 c3 22 3a 31 7d"
      })
  void refusesWhatIsNotPlainUtf8(String bytes) {
    assertThat(refusal(hex(bytes)).reason()).isEqualTo(Reason.NOT_UTF8);
  }

  @Test
  void acceptsTheEdgesOfUtf8() {
    String edges = "\"\u0080\u07ff\u0800\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff\"";

    assertThat(canonical(edges)).isEqualTo(edges);
  }

  @ParameterizedTest
  @CsvSource({
    "'', EMPTY, 0", "'  ', EMPTY, 2", "'1 2', TRAILING_CONTENT, 2", "'{} x', TRAILING_CONTENT, 3",
    "'[1,]', SYNTAX, 3", "'[1 2]', SYNTAX, 3", "'[,1]', SYNTAX, 1", "'{\"a\" 1}', SYNTAX, 5",
    "'{a:1}', SYNTAX, 1", "'{\"a\":1,}', SYNTAX, 7", "'[1}', SYNTAX, 2", "'{\"a\":1', TRUNCATED, 6",
    "'[1', TRUNCATED, 2", "'\"ab', TRUNCATED, 3", "'tru', TRUNCATED, 3", "'trux', SYNTAX, 3",
    "'NaN', SYNTAX, 0", "'-Infinity', SYNTAX, 1", "'\"\\x\"', SYNTAX, 2",
        "'\"\\u00g0\"', SYNTAX, 5",
    "'\"\\u00', TRUNCATED, 5", "'\"\t\"', SYNTAX, 1", "']', SYNTAX, 0", "'//1', SYNTAX, 0"
  })
  void saysWhatIsWrongAndWhere(String json, Reason reason, int offset) {
    assertThat(refusal(json).reason()).isEqualTo(reason);
    assertThat(refusal(json).offset()).isEqualTo(offset);
  }

  @Test
  void findsEverySpecialByteAtEveryPlaceOfAString() {
    for (int length = 0; length < 40; length++) {
      String plain = "x".repeat(length);
      String json = "[\"" + plain + "\",\"" + plain + "\u00e9\",\"" + plain + "\\\"\"]";

      assertThat(canonical(json)).isEqualTo(json);
      assertThat(reason("[\"" + plain + "\u0001aaaaaaaa\"]")).isEqualTo(Reason.SYNTAX);
    }
  }

  @Test
  void readsAStreamLikeBytes() throws IOException {
    byte[] json = ("{\"b\":\"" + "x".repeat(10_000) + "\",\"a\":1.0}").getBytes(UTF_8);

    byte[] streamed = CanonicalJson.standard().bytes(new ByteArrayInputStream(json));

    assertThat(streamed).isEqualTo(CanonicalJson.standard().bytes(json));
  }

  @Test
  void nestsToTheLimitAndNoFurther() {
    CanonicalJson shallow = CanonicalJson.standard().within(JsonLimits.DEFAULTS.withMaxDepth(2));

    assertThat(canonical(shallow, "[[1]]")).isEqualTo("[[1]]");
    assertThat(List.of("[[[1]]]", "{\"a\":{\"b\":{}}}"))
        .allSatisfy(
            json ->
                assertThat(catchThrowable(() -> canonical(shallow, json)))
                    .isInstanceOf(JsonRefusedException.class));
  }

  private static String textOrReason(String json) {
    try {
      return canonical(json);
    } catch (JsonRefusedException e) {
      return e.reason().name();
    }
  }
}
