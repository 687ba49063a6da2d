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
        .isThrownBy(() -> new JsonLimits(1, 1, 20, 21))
        .withMessage("maxDigits must be 21 to 1000000, got 20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JsonLimits(1, 1, 21, 20))
        .withMessage("maxExponent must be 21 to 1000000, got 20");
  }

  @Test
  void changesOneLimitAtATime() {
    JsonLimits limits = JsonLimits.DEFAULTS.withMaxBytes(100).withMaxDepth(3);

    assertThat(limits).isEqualTo(new JsonLimits(100, 3, 1_000, 6_144));
  }
}
