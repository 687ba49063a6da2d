package dev.once.spi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Headers;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PackingTest {
  private static final Key KEY = new Key("acme", "api:POST:/orders", "k-1");
  private static final KeyRing RING = KeyRing.of("a", filled(1)).and("b", filled(2));
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
  private static final Packing SEALED = Packing.of(Sealing.with(RING));
  private static final Outcome OUTCOME =
      new Outcome(false, 201, Headers.NONE.with("ETag", "\"1\""), text("{\"total\": 12}"));

  static List<Outcome> outcomes() {
    Headers headers = Headers.NONE.with("X-Name", "caf\u00e9 \ud83d\ude00").with("ETag", "\"1\"");
    return Stream.of(
            Payload.NONE,
            text(""),
            text("{}"),
            text("abc ".repeat(10_000)),
            Payload.of(noise(5000)),
            new Payload.Dropped(1L << 40))
        .flatMap(it -> Stream.of(Outcome.completed(it), new Outcome(true, 999, headers, it)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("outcomes")
  void givesBackWhatItWasGiven(Outcome outcome) {
    assertThat(PLAIN.unpack(KEY, PLAIN.pack(KEY, outcome))).isEqualTo(outcome);
    assertThat(SEALED.unpack(KEY, SEALED.pack(KEY, outcome))).isEqualTo(outcome);
  }

  @Test
  void compressesBeforeItSeals() {
    Outcome large = Outcome.completed(text("abc ".repeat(10_000)));

    assertThat(SEALED.pack(KEY, large)).hasSizeLessThan(1000);
  }

  @Test
  void showsNothingButTheKeyId() {
    String packed = new String(SEALED.pack(KEY, OUTCOME), ISO_8859_1);

    assertThat(packed).startsWith("\u0001\u0001a").doesNotContain("ETag").doesNotContain("total");
  }

  @Test
  void tellsWhichKeySealed() {
    assertThat(Packing.keyId(SEALED.pack(KEY, OUTCOME))).contains("a");
    assertThat(Packing.keyId(PLAIN.pack(KEY, OUTCOME))).isEmpty();
    assertThat(Packing.keyId(new byte[] {1, 9, 'a'})).as("cut").contains("a");
  }

  @Test
  void neverSealsTwiceAlike() {
    assertThat(SEALED.pack(KEY, OUTCOME)).isNotEqualTo(SEALED.pack(KEY, OUTCOME));
  }

  @Test
  void readsWhatWasPlainBeforeSealingWasTurnedOn() {
    assertThat(SEALED.unpack(KEY, PLAIN.pack(KEY, OUTCOME))).isEqualTo(OUTCOME);
  }

  @Test
  void opensWithAnOlderKey() {
    byte[] packed = SEALED.pack(KEY, OUTCOME);
    KeyRing rotated = KeyRing.of("c", filled(3)).and("a", filled(1));

    assertThat(Packing.of(Sealing.with(rotated)).unpack(KEY, packed)).isEqualTo(OUTCOME);
  }

  @Test
  void namesTheKeyThatIsMissing() {
    byte[] packed = SEALED.pack(KEY, OUTCOME);

    for (Sealing other : List.of(Sealing.NONE, Sealing.with(KeyRing.of("c", filled(1))))) {
      refuses(Packing.of(other), KEY, packed)
          .withMessageContaining("happened")
          .withMessageContaining("add that key to the ring")
          .matches(it -> it.keyId().orElse("").equals("a") && it.key().equals(KEY));
    }
  }

  @Test
  void refusesAnotherKeyUnderTheSameId() {
    refuses(Packing.of(Sealing.with(KeyRing.of("a", filled(9)))), KEY, SEALED.pack(KEY, OUTCOME));
  }

  @Test
  void doesNotOpenInAnotherRecord() {
    byte[] packed = SEALED.pack(KEY, OUTCOME);

    refuses(SEALED, new Key("acme2", "api:POST:/orders", "k-1"), packed);
    refuses(SEALED, new Key("acme", "api:POST:/order", "sk-1"), packed);
    refuses(SEALED, new Key("acme", "api:POST:/orders", "k-2"), packed);
  }

  @Test
  void refusesEveryChangedBitAndEveryCut() {
    byte[] packed = SEALED.pack(KEY, OUTCOME);

    for (int bit = 0; bit < packed.length * 8; bit++) {
      byte[] changed = packed.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      refuses(SEALED, KEY, changed);
    }
    IntStream.range(0, packed.length)
        .forEach(length -> refuses(SEALED, KEY, Arrays.copyOf(packed, length)));
  }

  @Test
  void readsNoPlainBytesThatWereCutInsideTheirHeaders() {
    byte[] packed = PLAIN.pack(KEY, OUTCOME);

    IntStream.range(0, packed.length - "{\"total\": 12}".length())
        .forEach(length -> refuses(PLAIN, KEY, Arrays.copyOf(packed, length)));
  }

  @Test
  void inflatesToNoMoreThanWasRecorded() {
    byte[] packed = PLAIN.pack(KEY, Outcome.completed(text("abc ".repeat(10_000))));
    int lastByteOfSize = 2 + 1 + 2 + 4 + 7;

    byte[] smaller = packed.clone();
    smaller[lastByteOfSize]--;
    refuses(PLAIN, KEY, smaller);
    byte[] huge = packed.clone();
    huge[lastByteOfSize - 3] = 0x7f;
    refuses(PLAIN, KEY, huge);
  }

  private static ThrowableAssertAlternative<UnreadableOutcomeException> refuses(
      Packing packing, Key key, byte[] packed) {
    return assertThatExceptionOfType(UnreadableOutcomeException.class)
        .isThrownBy(() -> packing.unpack(key, packed));
  }

  private static Payload text(String text) {
    return Payload.of(text.getBytes(UTF_8));
  }

  private static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(1).nextBytes(noise);
    return noise;
  }

  private static byte[] filled(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
