package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parses the vectors of the HTTP working group. */
class ItemVectorsTest {
  // The only optional cases that are refused: a string that spans two lines.
  private static final List<String> REFUSED =
      List.of("display-string: two lines display string", "string: two lines string");

  static Stream<ItemVectors.Vector> valid() {
    return ItemVectors.all().filter(vector -> !vector.mustFail() && !isRefused(vector));
  }

  static Stream<ItemVectors.Vector> invalid() {
    return ItemVectors.all().filter(vector -> vector.mustFail() || isRefused(vector));
  }

  @Test
  void thereAreEightHundredAndFortyItems() {
    assertThat(ItemVectors.all()).hasSize(840);
    assertThat(ItemVectors.all().filter(ItemVectors.Vector::mustFail)).hasSize(357);
    assertThat(ItemVectors.all().filter(ItemVectorsTest::isRefused))
        .hasSize(REFUSED.size())
        .allMatch(ItemVectors.Vector::canFail);
  }

  @ParameterizedTest
  @MethodSource("valid")
  void readsWhatMustBeRead(ItemVectors.Vector vector) {
    StructuredItem item = StructuredItem.parse(vector.lines());

    assertThat(item).isEqualTo(vector.expected());
    assertThat(new ArrayList<>(item.parameters().keySet()))
        .isEqualTo(new ArrayList<>(vector.expected().parameters().keySet()));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesWhatMustBeRefused(ItemVectors.Vector vector) {
    assertThatExceptionOfType(FieldRefusedException.class)
        .isThrownBy(() -> StructuredItem.parse(vector.lines()))
        .satisfies(e -> assertThat(e.offset()).isBetween(0, vector.lines().get(0).length()));
  }

  private static boolean isRefused(ItemVectors.Vector vector) {
    return REFUSED.contains(vector.toString());
  }
}
