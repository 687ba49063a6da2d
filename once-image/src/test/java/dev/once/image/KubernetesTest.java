package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The manifests in deploy/kubernetes are what Kubernetes describes. Its own client reads them: that
 * is made from the description of its API, and refuses fields that are not in it.
 */
class KubernetesTest {
  private static final Path FOLDER = Yaml.DEPLOY.resolve("kubernetes");
  private static final String POD = "/spec/template/spec";
  private static final String GATEWAY = POD + "/containers/0";

  @TempDir private Path folder;

  private final Map<String, JsonNode> objects = read();
  private final JsonNode deployment = object("Deployment");

  @Test
  void areReadByTheClientOfKubernetes() throws IOException {
    V1ConfigMap.fromJson(text("ConfigMap"));
    V1Deployment.fromJson(text("Deployment"));
    V1Namespace.fromJson(text("Namespace"));
    V1NetworkPolicy.fromJson(text("NetworkPolicy"));
    V1PodDisruptionBudget.fromJson(text("PodDisruptionBudget"));
    V1Service.fromJson(text("Service"));

    assertThat(objects).hasSize(6 + 1); // and the list of them
  }

  @Test
  void areReadByAClientThatKnowsWhatIsWrong() {
    String misspelt = text("Deployment").replace("readOnlyRootFilesystem", "readOnlyRoot");
    String mistyped = text("Service").replace("\"port\":80", "\"port\":\"eighty\"");

    assertThatThrownBy(() -> V1Deployment.fromJson(misspelt)).hasMessageContaining("readOnlyRoot");
    assertThatThrownBy(() -> V1Service.fromJson(mistyped)).hasMessageContaining("eighty");
  }

  @Test
  void areListedOnce() {
    JsonNode list = object("Kustomization").path("resources");

    assertThat(list.size()).isEqualTo(objects.size() - 1);
    assertThat(list.valueStream().map(it -> FOLDER.resolve(it.stringValue())))
        .doesNotHaveDuplicates()
        .allMatch(Files::isRegularFile);
  }

  @Test
  void runTheGatewayWithoutRights() {
    JsonNode rights = deployment.at(GATEWAY + "/securityContext");
    JsonNode user = deployment.at(POD + "/securityContext");

    assertThat(deployment.at(POD + "/automountServiceAccountToken").booleanValue()).isFalse();
    assertThat(user.path("runAsNonRoot").booleanValue()).isTrue();
    assertThat(user.path("runAsUser").intValue()).isEqualTo(ImageConfig.USER);
    assertThat(user.at("/seccompProfile/type").stringValue()).isEqualTo("RuntimeDefault");
    assertThat(rights.path("readOnlyRootFilesystem").booleanValue()).isTrue();
    assertThat(rights.path("allowPrivilegeEscalation").booleanValue()).isFalse();
    assertThat(rights.at("/capabilities/drop/0").stringValue()).isEqualTo("ALL");
    assertThat(deployment.at(GATEWAY + "/resources/limits").has("memory")).isTrue();
    assertThat(deployment.at(GATEWAY + "/env").valueStream())
        .isNotEmpty()
        .allMatch(it -> it.at("/valueFrom/secretKeyRef").isObject() && !it.has("value"));
  }

  @Test
  void findEachOtherByTheirLabels() {
    JsonNode labels = deployment.at("/spec/template/metadata/labels");

    assertThat(labels.isEmpty()).isFalse();
    assertThat(deployment.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(object("Service").at("/spec/selector")).isEqualTo(labels);
    assertThat(object("PodDisruptionBudget").at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(object("NetworkPolicy").at("/spec/podSelector/matchLabels")).isEqualTo(labels);
    assertThat(object("Service").at("/spec/ports/0/targetPort"))
        .isEqualTo(deployment.at(GATEWAY + "/ports/0/name"));
    assertThat(deployment.at("/spec/replicas").intValue()).isGreaterThan(1);
  }

  @Test
  void waitForRunningRequestsBeforeTheEnd() {
    int pause = deployment.at(GATEWAY + "/lifecycle/preStop/sleep/seconds").intValue();
    int drain = Integer.parseInt(settings().replaceAll("(?s).*drainTime: (\\d+)s.*", "$1"));

    assertThat(deployment.at(POD + "/terminationGracePeriodSeconds").intValue())
        .isGreaterThanOrEqualTo(pause + drain + 15);
  }

  @Test
  void restartNothingBecauseTheStoreIsAway() {
    assertThat(path("livenessProbe")).isEqualTo("/once/alive");
    assertThat(path("startupProbe")).isEqualTo("/once/health");
    assertThat(deployment.at(GATEWAY + "/readinessProbe").has("tcpSocket")).isTrue();
  }

  @Test
  void haveSettingsThatTheGatewayTakes() throws Exception {
    Path file = Files.writeString(folder.resolve("gateway.yaml"), settings());

    assertThat(SettingsCheck.of(file)).contains("the settings can be used");
  }

  private String path(String probe) {
    return deployment.at(GATEWAY + "/" + probe + "/httpGet/path").stringValue();
  }

  private String settings() {
    return object("ConfigMap").path("data").path("gateway.yaml").stringValue();
  }

  private String text(String kind) {
    return object(kind).toString();
  }

  private JsonNode object(String kind) {
    return Objects.requireNonNull(objects.get(kind), kind);
  }

  private static Map<String, JsonNode> read() {
    try {
      return Yaml.kinds(FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
