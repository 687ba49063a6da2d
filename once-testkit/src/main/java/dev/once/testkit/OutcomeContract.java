package dev.once.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An outcome is replayed unchanged, byte for byte, until it expires. */
interface OutcomeContract extends StoreUnderTest {
  int MEBIBYTE = 1 << 20;

  @Test
  default void replaysEveryPossibleByte() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }

    assertReplayed(Outcome.completed(Payload.of(bytes)));
  }

  @Test
  default void replaysNoPayloadAsNoPayload() {
    assertReplayed(Outcome.completed(Payload.NONE));
  }

  @Test
  default void replaysZeroBytesAsZeroBytes() {
    assertReplayed(Outcome.completed(Payload.of(new byte[0])));
  }

  @Test
  default void replaysADroppedPayloadAsDroppedWithItsSize() {
    assertReplayed(Outcome.completed(new Payload.Dropped(5_000_000_000L)));
    assertReplayed(Outcome.failed(new Payload.Dropped(0)));
  }

  @Test
  default void replaysAFailureAsAFailure() {
    TestClaim ask = assertReplayed(Outcome.failed(Payload.of(new byte[] {1})));

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.FAILED);
  }

  @Test
  default void replaysStatusAndHeadersInTheirOrder() {
    Headers headers =
        Headers.NONE
            .with("Location", "/v1/payments/7")
            .with("Link", "<a>; rel=\"next\"")
            .with("link", "<b>; rel=\"prev\": x")
            .with("X-Empty", "")
            .with("X-Name", " Zürich, 東京, \uD83D\uDE00\t ");

    assertReplayed(Outcomes.response(201, headers, "{\"id\":7}"));
    assertReplayed(Outcomes.response(422, headers, ""));
  }

  @Test
  default void replaysEveryStatusWithinItsLimits() {
    assertReplayed(new Outcome(false, 0, Headers.NONE, Payload.NONE));
    assertReplayed(new Outcome(true, 999, Headers.NONE, Payload.NONE));
  }

  @Test
  default void replaysAsManyHeadersAsThereMayBe() {
    Headers headers = Headers.NONE;
    for (int i = 0; i < Headers.MAX_HEADERS; i++) {
      headers = headers.with("name-" + i, "v".repeat(Headers.MAX_CHARS / Headers.MAX_HEADERS - 10));
    }

    assertReplayed(Outcomes.response(200, headers, "ok"));
  }

  @Test
  default void replaysAMebibyteThatDoesNotCompress() {
    assertReplayed(Outcome.completed(Payload.of(Outcomes.noise(MEBIBYTE, 42))));
  }

  @Test
  default void replaysAMebibyteThatCompressesWell() {
    byte[] bytes =
        "{\"ok\":true}\n".repeat(MEBIBYTE / 12 + 1).substring(0, MEBIBYTE).getBytes(UTF_8);

    assertReplayed(Outcome.completed(Payload.of(bytes)));
  }

  @Test
  default void replaysPayloadsOfEverySizeAroundAPage() {
    for (int size = 1; size <= 16_384; size *= 2) {
      assertReplayed(Outcome.completed(Payload.of(Outcomes.noise(size - 1, size))));
      assertReplayed(Outcome.completed(Payload.of(new byte[size + 1])));
    }
  }

  @Test
  default void replaysTheCorrelationOfTheCallThatCompleted() {
    TestClaim first = TestClaim.forNewKey().withCorrelation(Headers.NONE.with("trace", "crashed"));
    first.grantedBy(store());
    elapse(TestClaim.LEASE);
    Headers correlation = Headers.NONE.with("trace", "abc").with("run", "").with("user", "Zoë");
    TestClaim second = first.withCorrelation(correlation);
    store().complete(second.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    Claim claim = otherStore().claim(first.request());

    assertThat(claim).isEqualTo(new Claim.Replay(Outcomes.FIRST, correlation));
  }

  @Test
  default void replaysTheSameOutcomeToEveryClaimUntilItExpires() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    Claim replay = new Claim.Replay(Outcomes.FIRST, Headers.NONE);

    for (int hour = 0; hour < 24; hour++) {
      assertThat(store().claim(ask.request())).as("after %d hours", hour).isEqualTo(replay);
      elapse(Duration.ofHours(1));
    }

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Granted.class);
  }

  private TestClaim assertReplayed(Outcome outcome) {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), outcome, TestClaim.RETENTION);

    Claim claim = otherStore().claim(ask.request());

    assertThat(claim).isEqualTo(new Claim.Replay(outcome, Headers.NONE));
    assertThat(ask.viewIn(otherStore()).outcome()).contains(outcome);
    return ask;
  }
}
