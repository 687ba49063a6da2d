package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorFormatTest {
  private static final RefusalRule LATE = RefusalRule.of(409, "too.late", "Too late");
  private static final RefusalRule DOWN = RefusalRule.of(503, "down", "Down");
  private static final Map<String, String> MORE = Map.of("current_revision", "3");

  // PD-1
  @Test
  void writesAProblem() {
    assertThat(body(ErrorFormat.PROBLEM, LATE))
        .isEqualTo(
            "{\"type\":\"https://p/too.late\",\"title\":\"Too late\",\"status\":409,"
                + "\"detail\":\"read it again\",\"code\":\"too.late\",\"current_revision\":\"3\"}");
    assertThat(ErrorFormat.PROBLEM.mediaType()).isEqualTo("application/problem+json");
  }

  @Test
  void writesAnEnvelope() {
    assertThat(body(ErrorFormat.ENVELOPE, LATE))
        .isEqualTo(
            "{\"error\":{\"code\":\"too.late\",\"message\":\"read it again\","
                + "\"current_revision\":\"3\"}}");
    assertThat(ErrorFormat.ENVELOPE.mediaType()).isEqualTo("application/json");
  }

  @Test
  void writesTheErrorObjectOfStripe() {
    assertThat(body(ErrorFormat.STRIPE, LATE))
        .isEqualTo(
            "{\"error\":{\"type\":\"invalid_request_error\",\"code\":\"too.late\","
                + "\"message\":\"read it again\",\"doc_url\":\"https://p/too.late\"}}");
    assertThat(body(ErrorFormat.STRIPE, DOWN)).contains("\"type\":\"api_error\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 199, 600})
  void refusesARuleWithoutAFinalStatus(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefusalRule.of(status, "code", "Title"))
        .withMessage("status must be 200 to 599, got " + status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "a?b", "\u00e9"})
  void refusesACodeThatCannotEndAnAddress(String code) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefusalRule.of(400, code, "Title"))
        .withMessage("code must consist of letters, digits and ._- alone, got " + code);
  }

  @Test
  void refusesAMarkThatIsNoHeader() {
    assertThatIllegalArgumentException().isThrownBy(() -> ReplayHeaders.of("Replayed: ", false));
    assertThat(ReplayHeaders.of("", false).replayed()).isEmpty();
  }

  private static String body(ErrorFormat format, RefusalRule rule) {
    byte[] bytes = format.body(rule, "https://p/" + rule.code(), "read it again", MORE).toBytes();
    return new String(bytes, UTF_8);
  }
}
