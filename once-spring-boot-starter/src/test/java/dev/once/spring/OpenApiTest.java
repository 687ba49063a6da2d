package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI description of an application has its contract. */
class OpenApiTest {
  private static final Map<List<String>, JsonNode> DOCUMENTS = new HashMap<>();

  @RestController
  static class PartController {
    /** Serves reads and writes alike. */
    @RequestMapping("/parts/{number:[0-9]{3}}")
    void any(@PathVariable String number) {}

    @DeleteMapping("/parts")
    @ApiResponse(responseCode = "409", description = "A part is in use.")
    void clear() {}

    @DeleteMapping("/internal/parts")
    void uncovered() {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, DocumentController.class, PartController.class})
  static class DocumentedShop {}

  @Test
  void namesTheKeyAndWhatIsRefused() {
    JsonNode document = describe("once.contract=strict");
    JsonNode order = document.at("/paths/~1shops~1{shop}~1orders/post");

    assertThat(headersOf(order)).containsExactly("Idempotency-Key*");
    assertThat(order.at("/parameters/1/schema/maxLength").asInt()).isEqualTo(128);
    assertThat(codesOf(order, "400", "application/problem+json"))
        .containsExactly(
            "idempotency.key_required", "idempotency.key_invalid", "request.body_refused");
    assertThat(codesOf(order, "409", "application/problem+json"))
        .startsWith("idempotency.payload_mismatch", "idempotency.in_flight");
    assertThat(order.at("/responses/409/headers").has("Retry-After")).isTrue();
    assertThat(order.at("/responses").has("428")).isFalse();
    assertThat(order.at("/responses/409/content/application~1problem+json/schema/$ref").asString())
        .isEqualTo("#/components/schemas/IdempotencyRefusal");
    assertThat(document.at("/components/schemas/IdempotencyRefusal/properties").propertyNames())
        .containsExactly("type", "title", "status", "detail", "code");
  }

  @Test
  void marksReplaysOnSuccessesAlone() {
    JsonNode answers =
        describe("once.contract=strict").at("/paths/~1shops~1{shop}~1orders/post/responses");

    assertThat(answers.at("/200/headers").has("Idempotency-Replayed")).isTrue();
    assertThat(answers.at("/409/headers").has("Idempotency-Replayed")).isFalse();
  }

  @Test
  void leavesReadsAndUncoveredPathsAlone() {
    JsonNode paths =
        describe("once.contract=strict", "once.http.exclude=/internal/**").path("paths");

    for (JsonNode untouched :
        List.of(paths.at("/~1parts~1{number}/get"), paths.at("/~1internal~1parts/delete"))) {
      assertThat(headersOf(untouched)).isEmpty();
      assertThat(untouched.path("responses").propertyNames()).containsExactly("200");
      assertThat(untouched.at("/responses/200").has("headers")).isFalse();
    }
    assertThat(headersOf(paths.at("/~1parts~1{number}/put"))).containsExactly("Idempotency-Key*");
  }

  @Test
  void keepsWhatTheApplicationDescribes() {
    JsonNode conflict = describe("once.contract=strict").at("/paths/~1parts/delete/responses/409");

    assertThat(conflict.path("description").asString()).isEqualTo("A part is in use.");
    assertThat(conflict.at("/content/application~1problem+json").has("examples")).isTrue();
  }

  @Test
  void describesRevisionsUnderEachContract() {
    JsonNode strict = describe("once.contract=strict").at("/paths/~1document/put");
    JsonNode ietf = describe("once.contract=ietf").at("/paths/~1document/put");

    assertThat(headersOf(strict)).containsExactly("Idempotency-Key*", "If-Match*");
    assertThat(codesOf(strict, "428", "application/problem+json"))
        .containsExactly("concurrency.etag_required");
    assertThat(codesOf(strict, "409", "application/problem+json"))
        .contains("concurrency.version_mismatch");
    assertThat(codesOf(ietf, "412", "application/problem+json"))
        .containsExactly("concurrency.version_mismatch");
    assertThat(codesOf(ietf, "422", "application/problem+json"))
        .containsExactly("idempotency.payload_mismatch");
  }

  @Test
  void followsTheSettingsOfARoute() {
    JsonNode paths = describe("once.contract=ietf").path("paths");

    assertThat(headersOf(paths.at("/~1optional/post"))).containsExactly("Idempotency-Key");
    assertThat(headersOf(paths.at("/~1required/post"))).containsExactly("Idempotency-Key*");
    assertThat(headersOf(paths.at("/~1not-chosen/patch"))).isEmpty();
  }

  @Test
  void usesTheFormatsOfTheContract() {
    JsonNode mobile = describe("once.contract=mobile").at("/paths/~1document/put");
    JsonNode async = describe("once.contract=async").at("/paths/~1document/put");

    assertThat(mobile.at("/parameters/0/schema/format").asString()).isEqualTo("uuid");
    assertThat(codesOf(mobile, "409", "application/json")).contains("CONCURRENT_REQUEST");
    assertThat(async.at("/responses/200/headers").propertyNames())
        .containsExactlyInAnyOrder("X-Idempotency-Status", "X-Idempotency-Key");
    assertThat(async.at("/responses").has("202")).isTrue();
  }

  private static JsonNode describe(String... settings) {
    return DOCUMENTS.computeIfAbsent(List.of(settings), it -> describeAnew(settings));
  }

  private static JsonNode describeAnew(String... settings) {
    try (App app = App.start(DocumentedShop.class, settings)) {
      Api.Answer answer = app.api().get("/v3/api-docs");
      assertThat(answer.status()).isEqualTo(200);
      return new JsonMapper().readTree(answer.body());
    }
  }

  /** The names of the headers that a request has; a required one ends in a star. */
  private static List<String> headersOf(JsonNode operation) {
    assertThat(operation.isObject()).isTrue();
    List<String> names = new ArrayList<>();
    for (JsonNode it : operation.path("parameters")) {
      if (it.path("in").asString().equals("header")) {
        names.add(it.path("name").asString() + (it.path("required").asBoolean(false) ? "*" : ""));
      }
    }
    return names;
  }

  private static List<String> codesOf(JsonNode operation, String status, String mediaType) {
    return List.copyOf(
        operation
            .path("responses")
            .path(status)
            .path("content")
            .path(mediaType)
            .path("examples")
            .propertyNames());
  }
}
