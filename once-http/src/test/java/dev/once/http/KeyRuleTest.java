package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.once.http.KeyRule.Form;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRuleTest {
  private static final KeyRule ASCII = KeyRule.of("Idempotency-Key", Form.ASCII, 128);
  private static final KeyRule STRUCTURED = KeyRule.of("Idempotency-Key", Form.STRUCTURED, 255);

  @ParameterizedTest
  @EnumSource(Form.class)
  void seesThatThereIsNoKey(Form form) {
    assertThat(KeyRule.of("Idempotency-Key", form, 128).read(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "`abc`,`abc`",
        "`\"abc\"`,`abc`",
        "` \tabc\t `,`abc`",
        "`\t\"abc\" `,`abc`",
        "`\" abc \"`,` abc `",
        "`\"a,b\"`,`a,b`",
        "`\"a\\\"b\\\\c\"`,`a\"b\\c`",
        "`\"abc\";v=1`,`abc`",
        "`'a'`,`'a'`",
        "`\"'a'\"`,`'a'`",
        "`a b`,`a b`",
        "`a;b`,`a;b`",
        "`Abc`,`Abc`",
        "`~`,`~`",
      })
  void readsAsciiKeys(String line, String key) {
    assertThat(ASCII.read(List.of(line))).contains(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\t \t",
        "\"\"",
        "\"\";x",
        "\"a",
        "a\"",
        "\"",
        "\"a\" \"b\"",
        "\"a\"b",
        "\"a\",",
        "\"a\", \"b\"",
        "a, b",
        "a,b",
        ",",
        "a,",
        "a\\b",
        "\"a\\b\"",
        "\u00e9",
        "\"\u00e9\"",
        "\u043a\u043b\u044e\u0447",
        "\ud83d\ude00",
        "\u00a0a",
        "a\u2003",
        "\u3000a",
        "a\u0000b",
        "a\tb",
        "a\nb",
        "a\r\nX-Evil: 1",
        "\u000ba",
        "a\u001f",
        "a\u007f",
        "\"a\u007f\"",
        "\"a\tb\"",
        "\uff11",
      })
  void refusesHostileKeys(String line) {
    assertThat(refusal(ASCII, line)).startsWith("Idempotency-Key ");
    assertThat(refusal(STRUCTURED, line)).startsWith("Idempotency-Key ");
  }

  // IK-25
  @ParameterizedTest
  @ValueSource(strings = {"a;b", "a;v=1", "a b", "a ;b"})
  void refusesABareStructuredKeyWithAnythingBehindIt(String line) {
    assertThat(refusal(STRUCTURED, line)).startsWith("Idempotency-Key ");
  }

  // IK-23
  @Test
  void refusesTwoLinesEvenIfTheyAreEqual() {
    assertThat(refusal(ASCII, "a", "a")).isEqualTo("Idempotency-Key came 2 times; send one");
    assertThat(refusal(STRUCTURED, "\"a", "b\"")).startsWith("Idempotency-Key ");
  }

  @Test
  void countsTheCharactersOfTheKeyAndNotOfItsQuotes() {
    String longest = "k".repeat(128);

    assertThat(ASCII.read(List.of(longest))).contains(longest);
    assertThat(ASCII.read(List.of("\"" + longest + "\""))).contains(longest);
    assertThat(ASCII.read(List.of("\"" + "\\\\".repeat(128) + "\""))).contains("\\".repeat(128));
    assertThat(refusal(ASCII, longest + "k"))
        .isEqualTo("Idempotency-Key must have 1 to 128 characters, got 129");
  }

  @Test
  void saysThatAnEmptyKeyIsTooShort() {
    assertThat(refusal(ASCII, " "))
        .isEqualTo("Idempotency-Key must have 1 to 128 characters, got 0");
    assertThat(refusal(STRUCTURED, "\"\"")).endsWith("characters, got 0");
  }

  @Test
  void neverRepeatsWhatItRefuses() {
    assertThat(refusal(ASCII, "secret, secret"))
        .isEqualTo(
            "Idempotency-Key must be printable ASCII characters; got ',' at position 7, which may"
                + " stand only in a key in double quotes");
  }

  @Test
  void namesTheCharacterThatItDoesNotAccept() {
    assertThat(refusal(ASCII, "caf\u00e9")).endsWith("; got U+00E9 at position 4");
    assertThat(refusal(STRUCTURED, "a;b")).contains("; got ';' at position 2");
    assertThat(refusal(ASCII, "\"a\"b"))
        .endsWith("; a key in double quotes must be one String of RFC 9651");
  }

  @Test
  void refusesAnEnormousKeyAtOnce() {
    String line = "a" + " ".repeat(1 << 20) + "b";

    assertTimeout(
        Duration.ofSeconds(2),
        () -> assertThat(refusal(ASCII, line)).startsWith("Idempotency-Key "));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256})
  void refusesALongestKeyOutsideItsLimits(int maxChars) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRule.of("Idempotency-Key", Form.ASCII, maxChars))
        .withMessage("longest key must have 1 to 255 characters, got " + maxChars);
  }

  private static String refusal(KeyRule rule, String... lines) {
    return catchThrowableOfType(RefusedException.class, () -> rule.read(List.of(lines))).detail();
  }
}
