package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisEntryTest {
  private static final Instant DEADLINE = Instant.parse("2030-01-02T03:04:05.678Z");
  private static final Headers HEADERS =
      Headers.NONE.with("ETag", "\"1\"").with("X", "J\u00fcrgen");

  static Payload[] payloads() {
    return new Payload[] {
      Payload.NONE,
      new Payload.Dropped(1L << 40),
      Payload.of(new byte[0]),
      Payload.of(new byte[] {0, -1, 127})
    };
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void readsWhatItWrote(Payload payload) {
    RedisEntry entry = entry(payload);

    assertThat(RedisEntry.parse(entry.toBytes())).isEqualTo(entry);
  }

  @Test
  void refusesWhatAnotherReleaseWrote() {
    byte[] bytes = entry(Payload.NONE).toBytes();
    bytes[0]++;

    assertThatThrownBy(() -> RedisEntry.parse(bytes)).isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * Its last field may have any number of bytes: only the seal or the store notices a cut there.
   */
  @Test
  void refusesWhatIsCutOff() {
    byte[] bytes = entry(new Payload.Dropped(7)).toBytes();

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> RedisEntry.parse(cut)).isInstanceOf(RuntimeException.class);
    }
  }

  private static RedisEntry entry(Payload payload) {
    Outcome outcome = new Outcome(false, 201, HEADERS, payload);
    Claim.Replay replay = new Claim.Replay(outcome, Headers.NONE.with("trace", "1"));
    return new RedisEntry(Fingerprint.sha256("a", "b"), replay, DEADLINE);
  }
}
