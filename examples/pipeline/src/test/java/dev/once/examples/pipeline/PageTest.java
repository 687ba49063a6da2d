package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.examples.pipeline.ApiStage.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(120)
class PageTest {
  @TempDir static Path folder;

  private static ApiStage stage;

  @BeforeAll
  static void start() throws Exception {
    stage = new ApiStage(folder);
  }

  @AfterAll
  static void end() throws Exception {
    stage.close();
  }

  @Test
  void servesAPageThatLoadsNothingFromElsewhere() throws Exception {
    Answer page = stage.get("/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.response().headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(it -> assertThat(it).contains("default-src 'none'"));
    assertThat(page.body()).doesNotContain("http:").doesNotContain("https:");
    assertThat(stage.get("/page.js").body()).doesNotContain("innerHTML");
    assertThat(stage.get("/page.css").status()).isEqualTo(200);
    assertThat(stage.get("/page.java").status()).isEqualTo(404);
  }

  @Test
  void showsTheLogAndWhatIsBehind() throws Exception {
    stage.post("page-1", "{\"id\":\"<b>pump\",\"type\":\"pump\",\"name\":\"Pump\"}");
    Polling.until(() -> status().at("/log/instances").asLong() == 1);
    JsonNode status = status();

    JsonNode newest = status.at("/log/newest/0");
    assertThat(newest.path("id").asString()).isEqualTo("<b>pump");
    assertThat(newest.path("seq").asLong()).isEqualTo(1);
    assertThat(newest.path("event_id").asString()).isEqualTo("page-1");
    assertThat(status.at("/relay/lag").asLong()).isEqualTo(1);
    assertThat(status.path("consumers").size()).isEqualTo(3);
    assertThat(status.at("/consumers/0/handler").asString()).isEqualTo("instance_worker");
    assertThat(status.at("/consumers/0/lag").asLong()).isEqualTo(1);
  }

  @Test
  void saysWhichPartsDoNotAnswer() {
    assertThat(status().path("unreachable").valueStream().map(JsonNode::asString))
        .containsExactlyInAnyOrder("search", "graph");
  }

  private static JsonNode status() {
    try {
      return stage.get("/status").json();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
