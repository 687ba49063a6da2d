package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.once.http.FieldRefusedException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagTest {
  @Test
  void looksLikeItsHeader() {
    assertThat(EntityTag.strong("3")).hasToString("\"3\"");
    assertThat(EntityTag.weak("3")).hasToString("W/\"3\"");
    assertThat(EntityTag.strong("")).hasToString("\"\"");
  }

  // CR-1
  @ParameterizedTest
  @ValueSource(
      strings = {"\"\"", "W/\"\"", "\"!\"", "\"#~\"", "\"a,b\"", "\"a\\b\"", "\"\u0080\u00ff\""})
  void readsEveryTagOfTheGrammar(String header) {
    assertThat(EntityTag.parse(header)).hasToString(header);
  }

  // CR-1
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, TRUNCATED, 0",
        "`3`, SYNTAX, 0",
        "`'3'`, SYNTAX, 0",
        "`*`, SYNTAX, 0",
        "`w/\"3\"`, SYNTAX, 0",
        "`W\"3\"`, SYNTAX, 1",
        "`W/ \"3\"`, SYNTAX, 2",
        "`W/`, TRUNCATED, 2",
        "`\"3`, TRUNCATED, 2",
        "`\"3 4\"`, SYNTAX, 2",
        "`\"3\\\"4\"`, TRAILING_CONTENT, 4",
        "`\"3\"4`, TRAILING_CONTENT, 3",
        "` \"3\"`, SYNTAX, 0",
        "`\"3\" `, TRAILING_CONTENT, 3",
      })
  void refusesWhatIsNotATag(String header, Reason reason, int offset) {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> EntityTag.parse(header))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(offset));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`3\"`, U+0022 at 1",
        "`3 4`, U+0020 at 1",
        "`3\t`, U+0009 at 1",
        "`3\r\n`, U+000D at 1",
        "`\u007f`, U+007F at 0",
        "`\u0100`, U+0100 at 0",
      })
  void cannotBeMadeOfOtherCharacters(String opaque, String found) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EntityTag.strong(opaque))
        .withMessage(
            "entity tag must be visible characters up to U+00FF without quotes, got " + found);
  }

  @Test
  void fitsIntoIfMatchHoweverLongItIs() {
    EntityTag longest = EntityTag.weak("v".repeat(EntityTags.MAX_CHARS - 4));

    assertThat(EntityTag.parse(longest.toString())).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EntityTag.strong("v".repeat(EntityTags.MAX_CHARS - 3)))
        .withMessage("entity tag must have at most 8188 characters, got 8189");
  }

  // CR-3, the whole table
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`W/\"1\"`, `W/\"1\"`, false, true",
        "`W/\"1\"`, `W/\"2\"`, false, false",
        "`W/\"1\"`, `\"1\"`, false, true",
        "`\"1\"`, `\"1\"`, true, true",
      })
  void matchesAsTheStandardSays(String one, String other, boolean strongly, boolean weakly) {
    EntityTag a = EntityTag.parse(one);
    EntityTag b = EntityTag.parse(other);

    assertThat(a.matchesStrongly(b)).isEqualTo(b.matchesStrongly(a)).isEqualTo(strongly);
    assertThat(a.matchesWeakly(b)).isEqualTo(b.matchesWeakly(a)).isEqualTo(weakly);
  }

  @Test
  void comparesExactly() {
    assertThat(EntityTag.strong("a").matchesWeakly(EntityTag.strong("A"))).isFalse();
    assertThat(EntityTag.strong("1").matchesWeakly(EntityTag.strong("01"))).isFalse();
  }
}
