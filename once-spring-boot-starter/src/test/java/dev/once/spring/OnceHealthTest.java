package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class OnceHealthTest {
  // D11
  @Test
  void isUpWhileTheStoreAnswers() {
    HttpResponse<String> health =
        OpsApp.shared(Servers.OnTomcat.class).get("/actuator/health/once");

    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).isEqualTo("{\"status\":\"UP\"}");
  }

  @Test
  void isDownWithoutItAndTellsNothingOfTheDatabase() {
    try (OpsApp app =
            OpsApp.start(
                "management.endpoint.health.show-details=always",
                "spring.datasource.hikari.connection-timeout=1000");
        LogLines log = LogLines.of(OnceHealthIndicator.class)) {
      app.pool().close();

      HttpResponse<String> health = app.get("/actuator/health/once");
      app.get("/actuator/health/once");

      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body())
          .contains("\"status\":\"DOWN\"", "\"reason\":\"the store does not answer\"")
          .doesNotContain("Hikari", "jdbc", "postgres");
      assertThat(log.lines()).containsExactly("WARN the store does not answer");
    }
  }
}
