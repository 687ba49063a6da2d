package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** Shows that tags survive formatting and parsing, and that their comparison is symmetric. */
class EntityTagProperties {
  @Provide
  Arbitrary<EntityTag> tags() {
    Arbitrary<String> opaque =
        Arbitraries.strings()
            .withChars('!')
            .withCharRange('#', '~')
            .withCharRange('\u0080', '\u00ff')
            .ofMaxLength(40);
    return Combinators.combine(Arbitraries.of(true, false), opaque).as(EntityTag::new);
  }

  @Provide
  Arbitrary<EntityTag> similarTags() {
    return Combinators.combine(Arbitraries.of(true, false), Arbitraries.of("1", "2"))
        .as(EntityTag::new);
  }

  @Property
  void readsBackWhatItWrites(@ForAll("tags") EntityTag tag) {
    assertThat(EntityTag.parse(tag.toString())).isEqualTo(tag);
  }

  @Property
  void readsBackAListFromOneLineOrSeveral(
      @ForAll @Size(min = 1, max = 20) List<@From("tags") EntityTag> tags) {
    EntityTags list = new EntityTags(false, tags);
    List<String> lines = tags.stream().map(EntityTag::toString).toList();

    assertThat(EntityTags.parse(List.of(list.toString()))).isEqualTo(list);
    assertThat(EntityTags.parse(lines)).isEqualTo(list);
  }

  @Property
  void matchesTheSameBothWaysAndWeaklyWheneverStrongly(
      @ForAll("similarTags") EntityTag a, @ForAll("similarTags") EntityTag b) {
    assertThat(a.matchesStrongly(b)).isEqualTo(b.matchesStrongly(a));
    assertThat(a.matchesWeakly(b)).isEqualTo(b.matchesWeakly(a));
    assertThat(!a.matchesStrongly(b) || a.matchesWeakly(b)).isTrue();
  }

  @Property(tries = 5000)
  void readsOrRefusesAnyMixOfTheSignsThatCount(
      @ForAll @Chars({'"', 'W', '/', '*', ',', ' ', '\t', 'a'}) @StringLength(max = 12)
          String text) {
    try {
      EntityTags tags = EntityTags.parse(List.of(text));
      assertThat(EntityTags.parse(List.of(tags.toString()))).isEqualTo(tags);
    } catch (FieldRefusedException e) {
      assertThat(e.offset()).isBetween(0, text.length());
    }
  }
}
