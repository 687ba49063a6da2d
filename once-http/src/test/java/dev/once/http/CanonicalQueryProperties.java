package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.UniqueElements;

/** Shows that different spellings of a query become equal, and that different queries do not. */
class CanonicalQueryProperties {
  private static final Pattern ESCAPE = Pattern.compile("%..");

  @Provide
  Arbitrary<String> words() {
    Arbitrary<String> plain = Arbitraries.of("a", "B", "7", "-", "~", "/", "\u00e9", "+");
    Arbitrary<String> escaped = Arbitraries.integers().between(0, 255).map("%%%02x"::formatted);
    return Arbitraries.oneOf(plain, escaped)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(it -> String.join("", it));
  }

  @Provide
  Arbitrary<String> pairs() {
    return Combinators.combine(words(), words()).as((name, value) -> name + "=" + value);
  }

  /** Few values, so that two are often spellings of the same one. */
  @Provide
  Arbitrary<String> similar() {
    Arbitrary<String> word =
        Arbitraries.of("a", "%61", "+", "%20", "%2b", "%2B", "%3d", "%26", "")
            .list()
            .ofMaxSize(2)
            .map(it -> String.join("", it));
    return Combinators.combine(word, word).as((name, value) -> name + "=" + value);
  }

  @Property(tries = 5000)
  void changesNothingTheSecondTime(
      @ForAll
          @Chars({'%', '+', '&', '=', '2', '4', '1', 'f', 'F', 'a', 'z'})
          @StringLength(max = 14)
          String query) {
    String once = CanonicalQuery.of(query);

    assertThat(CanonicalQuery.of(once)).isEqualTo(once);
  }

  @Property
  void doesNotSeeTheOrderOfDifferentNames(
      @ForAll @Size(max = 6) @UniqueElements List<@From("words") String> names,
      @ForAll Random random) {
    List<String> canonical = names.stream().map(CanonicalQuery::of).distinct().toList();
    List<String> pairs = new ArrayList<>(canonical.stream().map(it -> it + "=1").toList());
    String before = String.join("&", pairs);

    Collections.shuffle(pairs, random);

    assertThat(CanonicalQuery.of(String.join("&", pairs))).isEqualTo(CanonicalQuery.of(before));
  }

  @Property
  void seesTheOrderOfValuesOfOneName(
      @ForAll("words") String name, @ForAll("words") String one, @ForAll("words") String other) {
    Assume.that(!CanonicalQuery.of(one).equals(CanonicalQuery.of(other)));

    assertThat(CanonicalQuery.of(name + "=" + one + "&" + name + "=" + other))
        .isNotEqualTo(CanonicalQuery.of(name + "=" + other + "&" + name + "=" + one));
  }

  @Property
  void doesNotSeeTheCaseOfEscapes(@ForAll("pairs") String pair) {
    String upper = ESCAPE.matcher(pair).replaceAll(it -> it.group().toUpperCase(Locale.ROOT));

    assertThat(CanonicalQuery.of(upper)).isEqualTo(CanonicalQuery.of(pair));
  }

  @Property
  void treatsAPlusAsASpace(@ForAll("pairs") String pair) {
    assertThat(CanonicalQuery.of(pair.replace("+", "%20"))).isEqualTo(CanonicalQuery.of(pair));
  }

  @Property
  void distinguishesWhatAHandlerDistinguishes(
      @ForAll("similar") String one, @ForAll("similar") String other) {
    assertThat(CanonicalQuery.of(one).equals(CanonicalQuery.of(other)))
        .isEqualTo(decoded(one).equals(decoded(other)));
  }

  private static List<String> decoded(String pair) {
    int equals = pair.indexOf('=');
    return List.of(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
  }
}
