package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
  private static final byte[] KEY = filled(7);

  @Test
  void sealsWithTheFirstKeyAndKeepsTheOthers() {
    KeyRing ring = KeyRing.of("2026-11", KEY).and("2026-10", filled(8));

    assertThat(ring.current()).isEqualTo("2026-11");
    assertThat(ring.ids()).containsExactlyInAnyOrder("2026-11", "2026-10");
    assertThat(ring.key("2026-10").orElseThrow().getEncoded()).isEqualTo(filled(8));
    assertThat(ring.key("2026-09")).isEmpty();
  }

  @Test
  void showsIdsAndNoKey() {
    KeyRing ring = KeyRing.of("a", KEY);

    assertThat(ring).hasToString("KeyRing[current=a, ids=[a]]");
    assertThat(Sealing.with(ring)).hasToString("Sealing[KeyRing[current=a, ids=[a]]]");
  }

  @Test
  void doesNotFollowTheArrayItWasGiven() {
    byte[] given = filled(7);
    KeyRing ring = KeyRing.of("a", given);
    Arrays.fill(given, (byte) 0);

    assertThat(ring.key("a").orElseThrow().getEncoded()).isEqualTo(KEY);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 31, 33})
  void refusesAKeyOfAnotherLength(int bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRing.of("a", new byte[bytes]))
        .withMessage("key a must have 32 bytes, got " + bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "\u00e9", "123456789012345678901234567890123"})
  void refusesABadId(String id) {
    assertThatIllegalArgumentException().isThrownBy(() -> KeyRing.of(id, KEY));
  }

  @Test
  void refusesAnIdTwiceAndTooManyKeys() {
    KeyRing ring = KeyRing.of("0", KEY);
    assertThatIllegalArgumentException().isThrownBy(() -> ring.and("0", filled(8)));

    KeyRing full = ring;
    for (int i = 1; i < KeyRing.MAX_KEYS; i++) {
      full = full.and(Integer.toString(i), KEY);
    }
    KeyRing last = full;
    assertThatIllegalArgumentException().isThrownBy(() -> last.and("more", KEY));
  }

  private static byte[] filled(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
