package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.http.BareItem.IntegerItem;
import dev.once.http.BareItem.StringItem;
import dev.once.http.BareItem.TokenItem;
import dev.once.http.FieldRefusedException.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredItemTest {
  @Test
  void readsAQuotedKey() {
    assertThat(parse("\"8e03978e-40d5-43e8-bc93-6894a57f9324\"").value())
        .isEqualTo(new StringItem("8e03978e-40d5-43e8-bc93-6894a57f9324"));
  }

  @Test
  void distinguishesAStringFromATokenOfTheSameText() {
    assertThat(parse("\"abc\"").value()).isNotEqualTo(parse("abc").value());
  }

  @Test
  void takesABareUuidForATokenOrRefusesIt() {
    assertThat(parse("ae03978e-40d5").value()).isEqualTo(new TokenItem("ae03978e-40d5"));
    refuses("8e03978e-40d5", Reason.TRAILING_CONTENT, 1);
  }

  @Test
  void readsTheEmptyString() {
    assertThat(parse("\"\"").value()).isEqualTo(new StringItem(""));
  }

  @Test
  void unescapesQuotesAndBackslashesOnly() {
    assertThat(parse("\"a\\\"b\\\\c\"").value()).isEqualTo(new StringItem("a\"b\\c"));
    refuses("\"a\\n\"", Reason.SYNTAX, 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\t\"", "\"a\u007f\"", "\"a\u00e9\"", "\"a\u20ac\"", "\"a\0\""})
  void refusesWhatIsNotPrintableAscii(String line) {
    refuses(line, Reason.SYNTAX, 2);
  }

  @Test
  void readsParametersAndLetsTheLastOfANameWin() {
    StructuredItem item = parse("\"k\";a=1; b=x;a=2");

    assertThat(item.value()).isEqualTo(new StringItem("k"));
    assertThat(item.parameters().keySet()).containsExactly("a", "b");
    assertThat(item.parameters()).containsEntry("a", new IntegerItem(2));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`\"a`, TRUNCATED, 2",
        "`\"a\\`, TRUNCATED, 3",
        "`'a'`, SYNTAX, 0",
        "`\"a\" b`, TRAILING_CONTENT, 4",
        "`\"a\", \"b\"`, TRAILING_CONTENT, 3",
        "`\"a\";B`, SYNTAX, 4",
        "`\"a\";`, TRUNCATED, 4",
        "`\"a\" ;b`, TRAILING_CONTENT, 4",
        "`\"a\";b=`, TRUNCATED, 6",
        "`1234567890123456`, TOO_MANY_DIGITS, 0",
        "`1.2345`, TOO_MANY_DIGITS, 0",
        "`@1.5`, SYNTAX, 1",
        "`:a!:`, NOT_BASE64, 1",
        "`%\"%c3\"`, NOT_UTF8, 0",
        "`%\"%C3%BC\"`, SYNTAX, 3",
        "`   `, EMPTY, 3",
      })
  void saysWhatIsWrongAndWhere(String line, Reason reason, int offset) {
    refuses(line, reason, offset);
  }

  @Test
  void refusesAFieldThatComesTwice() {
    refuses(List.of("\"a\"", "\"a\""), Reason.SEVERAL_LINES, 3);
    refuses(List.of("\"a", "b\""), Reason.SEVERAL_LINES, 2);
  }

  @Test
  void refusesAFieldThatDoesNotCome() {
    refuses(List.of(), Reason.EMPTY, 0);
  }

  @Test
  void readsUpToItsLimitAndNotBeyond() {
    String longest = "\"" + "k".repeat(StructuredItem.MAX_CHARS - 2) + "\"";

    assertThat(parse(longest).value())
        .isEqualTo(new StringItem("k".repeat(StructuredItem.MAX_CHARS - 2)));
    refuses(longest + " ", Reason.TOO_LONG, StructuredItem.MAX_CHARS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"secret", "secret secret", "\"secret\u00e9\"", ":secret!:", "%\"secret"})
  void neverRepeatsTheValue(String line) {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> parse(line))
        .withMessageStartingWith("field refused at character ")
        .withMessageNotContaining("secret")
        .withNoCause();
  }

  private static StructuredItem parse(String line) {
    return StructuredItem.parse(List.of(line));
  }

  private static void refuses(String line, Reason reason, int offset) {
    refuses(List.of(line), reason, offset);
  }

  private static void refuses(List<String> lines, Reason reason, int offset) {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> StructuredItem.parse(lines))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(offset));
  }
}
