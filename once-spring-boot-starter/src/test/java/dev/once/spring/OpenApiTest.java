package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.web.servlet.function.RouterFunctions.route;

import dev.once.http.IfMatch;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springdoc.core.annotations.RouterOperation;
import org.springdoc.core.annotations.RouterOperations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
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

  @RestController
  static class NoteController {
    record Note(String text) {}

    @PutMapping("/note")
    void replace(IfMatch ifMatch, @RequestBody Note note) {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, DocumentController.class, PartController.class, NoteController.class})
  static class DocumentedShop {
    @Bean
    @RouterOperations({
      @RouterOperation(
          path = "/halls/{hall}/visits/{id}",
          method = RequestMethod.POST,
          operation = @Operation(operationId = "visit")),
      @RouterOperation(
          path = "/halls/{hall}",
          method = RequestMethod.GET,
          operation = @Operation(operationId = "hall"))
    })
    RouterFunction<ServerResponse> halls() {
      return route()
          .path(
              "/halls/{hall}",
              hall ->
                  hall.POST("/visits/{id:[0-9]+}", it -> ServerResponse.ok().build())
                      .GET(it -> ServerResponse.ok().build()))
          .build();
    }
  }

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
  void describesTheRevisionOutsideOfHeadersWhereTheContractAllowsIt() {
    JsonNode planning = describe("once.contract=planning").at("/paths/~1note/put");
    JsonNode strict = describe("once.contract=strict").at("/paths/~1note/put");

    assertThat(headersOf(planning)).containsExactly("Idempotency-Key", "If-Match");
    assertThat(planning.at("/parameters/2/name").asString()).isEqualTo("if_match");
    assertThat(planning.at("/parameters/2/in").asString()).isEqualTo("query");
    JsonNode body = planning.at("/requestBody/content/application~1json/schema/allOf");
    assertThat(body.at("/0/$ref").asString()).isEqualTo("#/components/schemas/Note");
    assertThat(body.at("/1/properties/if_match").has("type")).isTrue();
    assertThat(strict.toString()).doesNotContain("if_match\"");
  }

  @Test
  void describesFunctionalRoutesThatSpringdocDescribes() {
    JsonNode paths = describe("once.contract=strict").path("paths");
    JsonNode visit = paths.at("/~1halls~1{hall}~1visits~1{id}/post");

    assertThat(headersOf(visit)).containsExactly("Idempotency-Key*");
    assertThat(codesOf(visit, "409", "application/problem+json"))
        .contains("idempotency.payload_mismatch", "idempotency.in_flight");
    assertThat(headersOf(paths.at("/~1halls~1{hall}/get"))).isEmpty();
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
