package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CodecTest {
  @Test
  void readsBackTextInAnyScript() {
    Codec<@Nullable String> codec = Codec.text();

    assertThat(codec.decode(codec.encode("caf\u00e9 \ud83d\ude00\0")))
        .isEqualTo("caf\u00e9 \ud83d\ude00\0");
  }

  @Test
  void tellsNullFromTheEmptyText() {
    Codec<@Nullable String> codec = Codec.text();

    assertThat(codec.decode(codec.encode(null))).isNull();
    assertThat(codec.decode(codec.encode(""))).isEmpty();
  }

  @Test
  void tellsNullFromZeroBytes() {
    Codec<byte @Nullable []> codec = Codec.bytes();

    assertThat(codec.decode(codec.encode(null))).isNull();
    assertThat(codec.decode(codec.encode(new byte[0]))).isEmpty();
  }

  @Test
  void sharesNoBytesWithTheEffect() {
    byte[] answer = {1, 2, 3};
    Outcome outcome = Codec.bytes().encode(answer);

    answer[0] = 9;

    assertThat(Codec.bytes().decode(outcome)).containsExactly(1, 2, 3);
  }

  @Test
  void sharesNoBytesBetweenReplays() {
    Outcome outcome = Codec.bytes().encode(new byte[] {1, 2, 3});
    byte[] replay = Objects.requireNonNull(Codec.bytes().decode(outcome));

    replay[0] = 9;

    assertThat(Codec.bytes().decode(outcome)).containsExactly(1, 2, 3);
  }

  @Test
  void keepsNothingAsNoPayload() {
    Outcome outcome = Codec.nothing().encode(null);

    assertThat(outcome.payload()).isEqualTo(Payload.NONE);
    assertThat(Codec.nothing().decode(outcome)).isNull();
  }

  @Test
  void refusesToReadBytesAsNothing() {
    Outcome outcome = Outcome.completed(Payload.of(new byte[5]));

    assertThatIllegalStateException()
        .isThrownBy(() -> Codec.nothing().decode(outcome))
        .withMessage("a record of nothing holds 5 bytes");
  }

  @Test
  void showsItsTwoFunctionsNoNull() {
    Codec<@Nullable Integer> codec =
        Codec.of(number -> new byte[] {number.byteValue()}, bytes -> (int) bytes[0]);

    assertThat(codec.decode(codec.encode(7))).isEqualTo(7);
    assertThat(codec.decode(codec.encode(null))).isNull();
  }
}
