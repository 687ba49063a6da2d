package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class ItemIdProperties {
  @Property
  void differsForDifferentParts(
      @ForAll @Size(min = 1, max = 4)
          List<@Chars({'a', '/', '~', '0', '1'}) @StringLength(min = 1, max = 3) String> one,
      @ForAll @Size(min = 1, max = 4)
          List<@Chars({'a', '/', '~', '0', '1'}) @StringLength(min = 1, max = 3) String> other) {
    assertThat(id(one).equals(id(other))).isEqualTo(one.equals(other));
  }

  @Example
  void escapesWhatItEscapesWith() {
    assertThat(ItemId.of("/", "~")).contains("~1/~0");
    assertThat(ItemId.of("~1", "~0")).contains("~01/~00");
  }

  @Property
  void isShortAndWithoutControlCharacters(@ForAll String part) {
    ItemId.of(part, part)
        .ifPresent(id -> assertThat(id).hasSizeBetween(3, 255).doesNotContainPattern("\\p{Cntrl}"));
  }

  private static String id(List<String> parts) {
    return ItemId.of(parts.toArray(String[]::new)).orElseThrow();
  }
}
