package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.once.http.FieldRefusedException.Reason;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
  private static final EntityTag A = EntityTag.strong("a");
  private static final EntityTag B = EntityTag.weak("b");

  // CR-2
  @Test
  void isAnyOrAList() {
    assertThat(parse("*")).isEqualTo(EntityTags.ANY);
    assertThat(parse(" *\t")).isEqualTo(EntityTags.ANY);
    assertThat(parse("\"a\"")).isEqualTo(new EntityTags(false, List.of(A)));
    assertThat(parse("\"a\" ,\tW/\"b\" ")).isEqualTo(new EntityTags(false, List.of(A, B)));
  }

  // CR-1
  @Test
  void doesNotSplitATagAtItsComma() {
    assertThat(parse("\"a,b\",W/\",\"").list())
        .containsExactly(EntityTag.strong("a,b"), EntityTag.weak(","));
  }

  // CR-5
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"`*, \"a\"`, 1", "`\"a\", *`, 5", "`*,`, 1", "`,*`, 1", "`*, *`, 1", "`**`, 1"})
  void refusesAnyTogetherWithAnythingElse(String line, int offset) {
    refuses(List.of(line), Reason.ANY_NOT_ALONE, offset);
  }

  // CR-5
  @Test
  void refusesAnyInOneLineAndATagInAnother() {
    refuses(List.of("*", "\"a\""), Reason.ANY_NOT_ALONE, 1);
    refuses(List.of("\"a\"", "*"), Reason.ANY_NOT_ALONE, 5);
    refuses(List.of("*", "*"), Reason.ANY_NOT_ALONE, 1);
  }

  // CR-10
  @ParameterizedTest
  @ValueSource(
      strings = {"\"a\",,W/\"b\"", ",\"a\",W/\"b\"", "\"a\",W/\"b\",", ", ,\"a\"\t,, W/\"b\" ,"})
  void ignoresEmptyElements(String line) {
    assertThat(parse(line).list()).containsExactly(A, B);
  }

  // CR-10
  @Test
  void bearsAReasonableNumberOfEmptyElementsOnly() {
    assertThat(parse(",".repeat(100) + "\"a\"").list()).containsExactly(A);
    refuses(List.of(",".repeat(101) + "\"a\""), Reason.TOO_MANY_ELEMENTS, 100);
  }

  // CR-10
  @Test
  void combinesLines() {
    assertThat(EntityTags.parse(List.of("\"a\"", "", "W/\"b\"")).list()).containsExactly(A, B);
  }

  @Test
  void readsNoTagAcrossTwoLines() {
    refuses(List.of("\"a", "b\""), Reason.SYNTAX, 3);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`a`, SYNTAX, 0",
        "`\"a\" \"b\"`, SYNTAX, 4",
        "`\"a\"\"b\"`, SYNTAX, 3",
        "`\"a\"; \"b\"`, SYNTAX, 3",
        "`\"a\", w/\"b\"`, SYNTAX, 5",
        "`\"a\", \"b`, TRUNCATED, 7",
        "``, EMPTY, 0",
        "`, ,`, EMPTY, 3",
      })
  void saysWhatIsWrongAndWhere(String line, Reason reason, int offset) {
    refuses(List.of(line), reason, offset);
  }

  @Test
  void refusesAFieldThatDoesNotCome() {
    refuses(List.of(), Reason.EMPTY, 0);
  }

  @Test
  void readsAHundredTags() {
    List<String> lines = Collections.nCopies(100, "\"a\"");

    assertThat(EntityTags.parse(lines).list()).hasSize(EntityTags.MAX_TAGS);
    refuses(Collections.nCopies(101, "\"a\""), Reason.TOO_MANY_ELEMENTS, 500);
  }

  @Test
  void countsTheCharactersOfAllLines() {
    String half = "\"" + "v".repeat(EntityTags.MAX_CHARS / 2 - 3) + "\"";

    assertThat(EntityTags.parse(List.of(half, half)).list()).hasSize(2);
    refuses(List.of(half, half, ""), Reason.TOO_LONG, EntityTags.MAX_CHARS);
  }

  // CR-4 and CR-7
  @Test
  void listsWeakTagsThatMatchWeaklyOnly() {
    EntityTag current = EntityTag.strong("b");

    assertThat(parse("\"a\", W/\"b\"").list())
        .noneMatch(tag -> tag.matchesStrongly(current))
        .anyMatch(tag -> tag.matchesWeakly(current));
  }

  @Test
  void cannotBeAnyAndAList() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EntityTags(true, List.of(A)))
        .withMessage("number of entity tags must be 0 to 0, got 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EntityTags(false, List.of()))
        .withMessage("number of entity tags must be 1 to 100, got 0");
  }

  @Test
  void neverRepeatsTheValue() {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> parse("\"secret\" secret"))
        .withMessage(
            "field refused at character 9: this character cannot stand here; check the value"
                + " against the field's grammar");
  }

  private static EntityTags parse(String line) {
    return EntityTags.parse(List.of(line));
  }

  private static void refuses(List<String> lines, Reason reason, int offset) {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> EntityTags.parse(lines))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(offset));
  }
}
