package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptStatusesTest {
  @Test
  void addsToItsClassesAndTakesFromThem() {
    KeptStatuses kept =
        KeptStatuses.ofClasses(Set.of(2, 4)).withAlso(Set.of(503)).withNever(Set.of(404));

    assertThat(kept.contains(200)).isTrue();
    assertThat(kept.contains(299)).isTrue();
    assertThat(kept.contains(300)).isFalse();
    assertThat(kept.contains(404)).isFalse();
    assertThat(kept.contains(503)).isTrue();
    assertThat(kept.contains(500)).isFalse();
  }

  @Test
  void isStrictestWithAStatusThatIsNamedTwice() {
    assertThat(
            KeptStatuses.ofClasses(Set.of(2))
                .withAlso(Set.of(409))
                .withNever(Set.of(409))
                .contains(409))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 101, 199, 600, 999})
  void keepsNothingThatIsNoFinalStatus(int status) {
    assertThat(KeptStatuses.allBut(Set.of()).contains(status)).isFalse();
  }

  @Test
  void refusesWhatIsNoClassAndNoStatus() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptStatuses.ofClasses(Set.of(1)))
        .withMessage("class of statuses must be 2 to 5, got 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptStatuses.ofClasses(Set.of()).withAlso(Set.of(4)))
        .withMessage("status must be 200 to 599, got 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptStatuses.ofClasses(Set.of()).withNever(Set.of(600)))
        .withMessage("status must be 200 to 599, got 600");
  }
}
