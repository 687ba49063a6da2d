package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedExceptionTest {
  @Test
  void isAnAnswerAndNoDefect() {
    RefusedException refused = new RefusedException(Refusal.RATE_LIMITED, "come back later");

    assertThat(refused.detail()).isEqualTo("come back later");
    assertThat(refused.more()).isEmpty();
    assertThat(refused.getStackTrace()).isEmpty();
  }

  @Test
  void keepsMoreMembersInOneOrder() {
    assertThat(refused(Map.of("limit", "10", "current_revision", "3", "window", "60")).more())
        .containsOnlyKeys("current_revision", "limit", "window")
        .extractingFromEntries(Map.Entry::getKey)
        .containsExactly("current_revision", "limit", "window");
  }

  // PD-6
  @ParameterizedTest
  @ValueSource(
      strings = {
        "type",
        "title",
        "status",
        "detail",
        "instance",
        "code",
        "message",
        "",
        "ab",
        "1st",
        "a-b"
      })
  void refusesAMemberThatEveryRefusalHasOrThatIsNoName(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> refused(Map.of(name, "x")))
        .withMessageEndingWith("; got " + name);
  }

  private static RefusedException refused(Map<String, String> more) {
    return new RefusedException(Refusal.VERSION_MISMATCH, "too late", more);
  }
}
