package dev.once.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class JsonLimitsTest {
  @Test
  void namesTheLimitThatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonLimits.DEFAULTS.withMaxBytes(0))
        .withMessage("maxBytes must be 1 to 67108864, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonLimits.DEFAULTS.withMaxDepth(10_001))
        .withMessage("maxDepth must be 1 to 10000, got 10001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonLimits.DEFAULTS.withMaxDigits(20))
        .withMessage("maxDigits must be 21 to 1000000, got 20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonLimits.DEFAULTS.withMaxExponent(20))
        .withMessage("maxExponent must be 21 to 1000000, got 20");
  }

  @Test
  void changesOneLimitAtATime() {
    JsonLimits limits = JsonLimits.DEFAULTS.withMaxBytes(100).withMaxDigits(30);

    assertThat(limits)
        .extracting(
            JsonLimits::maxBytes,
            JsonLimits::maxDepth,
            JsonLimits::maxDigits,
            JsonLimits::maxExponent)
        .containsExactly(100, 64, 30, 6_144);
  }
}
