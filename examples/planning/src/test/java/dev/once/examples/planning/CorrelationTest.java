package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer has the ids under which its request is traced. */
class CorrelationTest {
  private final Api api = PlanningServer.shared().planner();

  @Test
  void keepsTheIdsOfTheClient() {
    Reply reply = api.get("/v1/projects", "X-Request-ID", "r-1", "X-Correlation-ID", "c/2~!");

    assertThat(reply.header("X-Request-ID")).isEqualTo("r-1");
    assertThat(reply.header("X-Correlation-ID")).isEqualTo("c/2~!");
  }

  @Test
  void makesIdsForAClientThatSendsNone() {
    Reply first = api.get("/v1/projects");
    Reply second = api.get("/v1/projects");

    assertThat(first.header("X-Request-ID"))
        .isNotEmpty()
        .isEqualTo(first.header("X-Correlation-ID"))
        .isNotEqualTo(second.header("X-Request-ID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "with blank", "\u00e9", "129"})
  void replacesAnIdThatIsUnfit(String id) {
    String unfit = id.equals("129") ? "x".repeat(129) : id;

    Reply reply = api.get("/v1/projects", "X-Request-ID", unfit, "X-Correlation-ID", unfit);

    assertThat(reply.header("X-Request-ID")).isNotEqualTo(unfit).matches("[!-~]{1,128}");
    assertThat(reply.header("X-Correlation-ID")).isNotEqualTo(unfit).matches("[!-~]{1,128}");
  }

  @Test
  void tracesRefusedRequestsToo() {
    Reply unauthorized =
        PlanningServer.shared().stranger().get("/v1/projects", "X-Request-ID", "r-1");
    Reply refusedByTheFirewall = api.get("/v1/projects;a=b", "X-Request-ID", "r-2");

    assertThat(unauthorized.expect(401).header("X-Request-ID")).isEqualTo("r-1");
    assertThat(refusedByTheFirewall.expect(400).header("X-Request-ID")).isEqualTo("r-2");
  }
}
