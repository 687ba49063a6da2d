package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** deploy/compose.yaml is one, and its gateway is that of the image. */
class ComposeTest {
  private final JsonNode compose = read();

  @Test
  void isValidByTheSchemaOfCompose() {
    Schemas.checkCompose(compose);
  }

  @Test
  void isComparedWithASchemaThatKnowsWhatIsWrong() {
    ObjectNode service = (ObjectNode) compose.at("/services/gateway");
    service.put("read_onli", true);

    assertThatThrownBy(() -> Schemas.checkCompose(compose))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("read_onli");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "database", "orders"})
  void givesServicesNoMoreRightsThanTheyNeed(String name) {
    JsonNode service = compose.path("services").path(name);

    assertThat(service.path("read_only").booleanValue()).isTrue();
    assertThat(words(service, "cap_drop")).containsExactly("ALL");
    assertThat(words(service, "security_opt")).containsExactly("no-new-privileges:true");
    assertThat(service.path("user").stringValue()).doesNotContain("root").doesNotStartWith("0");
    assertThat(service.has("privileged")).isFalse();
  }

  @Test
  void namesFilesThatExistAndSecretsThatDoNot() {
    for (String name : List.of("gateway", "orders")) {
      String file = compose.path("configs").path(name).path("file").stringValue();
      assertThat(Yaml.DEPLOY.resolve(file)).isRegularFile();
    }
    String secret = compose.at("/secrets/database-password/file").stringValue();
    assertThat(secret).startsWith("secrets/");
    assertThat(Yaml.DEPLOY.resolve(".gitignore")).content().contains("secrets/");
  }

  @Test
  void checksHealthAsTheImageDoes() throws IOException {
    JsonNode check = compose.at("/services/gateway/healthcheck");

    assertThat(words(check, "test"))
        .isEqualTo(
            new ImageConfig("1")
                .json(new Platform("linux", "amd64"), List.of())
                .at("/config/Healthcheck/Test")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList());
  }

  @Test
  void hasSettingsThatTheGatewayTakes() throws Exception {
    Path settings = Yaml.DEPLOY.resolve("gateway.yaml");

    assertThat(SettingsCheck.of(settings)).contains("the settings can be used");
    assertThat(Files.readString(settings)).contains("//database:", "//orders:");
  }

  private static List<String> words(JsonNode of, String name) {
    return of.path(name).valueStream().map(JsonNode::stringValue).toList();
  }

  private static JsonNode read() {
    try {
      return Yaml.read(Yaml.DEPLOY.resolve("compose.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
