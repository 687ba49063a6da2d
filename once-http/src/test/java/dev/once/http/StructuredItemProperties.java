package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.BareItem.StringItem;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;

/** Shows that any text is either read or refused, and that a quoted string is read correctly. */
class StructuredItemProperties {
  @Property
  void readsEveryStringAsItWasMeant(
      @ForAll @CharRange(from = ' ', to = '~') @StringLength(max = 1024) String text) {
    String quoted = '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';

    assertThat(StructuredItem.parse(List.of(quoted)).value()).isEqualTo(new StringItem(text));
  }

  @Property
  void readsOrRefusesAnyText(@ForAll String text) {
    readsOrRefuses(text);
  }

  @Property(tries = 5000)
  void readsOrRefusesAnyMixOfTheSignsThatCount(
      @ForAll
          @Chars({'"', '\\', ':', '?', '@', '%', ';', '=', '-', '.', ',', ' ', '0', '1', 'a', '*'})
          @StringLength(max = 12)
          String text) {
    readsOrRefuses(text);
  }

  private static void readsOrRefuses(String text) {
    try {
      assertThat(StructuredItem.parse(List.of(text)).value()).isNotNull();
    } catch (FieldRefusedException e) {
      assertThat(e.offset()).isBetween(0, text.length());
    }
  }
}
