package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RecordKeyProperties {
  @Property
  void givesDifferentKeysDifferentNames(@ForAll("keys") Key one, @ForAll("keys") Key other) {
    boolean sameName = RecordKey.of("once", one).equals(RecordKey.of("once", other));

    assertThat(sameName).isEqualTo(one.equals(other));
  }

  @Example
  void putsTheTenantFirstAndEscapesBordersAndBraces() {
    Key key = new Key("acme", "api:POST:/v1/{id}", "a:b%c");

    assertThat(RecordKey.of("once", key)).isEqualTo("once:acme:api%3APOST%3A/v1/%7Bid}:a%3Ab%25c");
  }

  /** Of few characters, so that names would meet if they could. */
  @Provide
  Arbitrary<Key> keys() {
    Arbitrary<String> parts =
        Arbitraries.strings()
            .withChars(':', '%', '{', '2', '5', '3', 'A')
            .ofMinLength(1)
            .ofMaxLength(4);
    return Combinators.combine(parts, parts, parts).as(Key::new);
  }
}
