package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  private static final Payload SECRET = Payload.of("secret".getBytes(StandardCharsets.UTF_8));

  @Test
  void comparesPayloadsByTheirBytes() {
    assertThat(Payload.of(new byte[] {1, 2}))
        .isEqualTo(Payload.of(new byte[] {1, 2}))
        .hasSameHashCodeAs(Payload.of(new byte[] {1, 2}))
        .isNotEqualTo(Payload.of(new byte[] {1, 3}));
  }

  @Test
  void tellsNoPayloadZeroBytesAndADroppedPayloadApart() {
    Payload zeroBytes = Payload.of(new byte[0]);

    assertThat(zeroBytes).isNotEqualTo(Payload.NONE).isNotEqualTo(new Payload.Dropped(0));
    assertThat(Payload.NONE).isNotEqualTo(new Payload.Dropped(0));
  }

  @Test
  void showsSizesAlone() {
    Headers headers = Headers.NONE.with("Token", "hidden");
    Outcome outcome = new Outcome(false, 201, headers, SECRET);

    assertThat(outcome.toString())
        .contains("Bytes[6]", "201", "Token")
        .doesNotContain("secret", "hidden");
  }

  @Test
  void keepsAPayloadThatFits() {
    Outcome outcome = Outcome.completed(SECRET);

    assertThat(outcome.within(6)).isSameAs(outcome);
  }

  @Test
  void dropsAPayloadThatDoesNotFitAndKeepsTheRest() {
    Headers headers = Headers.NONE.with("ETag", "1");
    Outcome outcome = new Outcome(true, 422, headers, SECRET);

    assertThat(outcome.within(5))
        .isEqualTo(new Outcome(true, 422, headers, new Payload.Dropped(6)));
  }

  @Test
  void dropsNothingThatHasNoBytes() {
    Outcome none = Outcome.completed(Payload.NONE);
    Outcome zeroBytes = Outcome.completed(Payload.of(new byte[0]));

    assertThat(none.within(0)).isSameAs(none);
    assertThat(zeroBytes.within(0)).isSameAs(zeroBytes);
  }

  @Test
  void becomesAFailureWithTheSameAnswer() {
    Outcome outcome = new Outcome(false, 402, Headers.NONE.with("a", "b"), SECRET);

    assertThat(outcome.asFailed())
        .isEqualTo(new Outcome(true, 402, Headers.NONE.with("a", "b"), SECRET));
  }

  @Test
  void refusesAStatusOutsideItsRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Outcome(false, 1000, Headers.NONE, Payload.NONE))
        .withMessage("status must be 0 to 999, got 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Outcome(false, -1, Headers.NONE, Payload.NONE))
        .withMessage("status must be 0 to 999, got -1");
  }
}
