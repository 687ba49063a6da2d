package dev.once.spring;

import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.RefusedException;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Describes refusals by the answers that the contract gives. */
final class OpenApiRefusals {
  private static final String SCHEMA = "IdempotencyRefusal";
  private static final int FIRST_ERROR = 400;
  private static final Set<Refusal> TEMPORARY =
      EnumSet.of(Refusal.IN_FLIGHT, Refusal.STORE_UNAVAILABLE, Refusal.OUTCOME_UNKNOWN);

  private final HttpOnce http;
  private final JsonMapper json = new JsonMapper();

  OpenApiRefusals(HttpOnce http) {
    this.http = http;
  }

  /**
   * Adds a refusal to the answers of an operation, as an example under its code. An answer that the
   * application describes under the same status keeps its description.
   */
  void addTo(ApiResponses answers, Refusal refusal, OpenAPI api) {
    RefusalRule rule = Objects.requireNonNull(http.contract().refusals().get(refusal));
    ApiResponse answer =
        answers.computeIfAbsent(
            Integer.toString(rule.status()), it -> new ApiResponse().description(rule.title()));
    if (answer.get$ref() != null) {
      return;
    }
    if (rule.status() < FIRST_ERROR) {
      return; // The state of an operation in flight, which is not a refusal to the client.
    }
    HttpAnswer sample = http.refuse(new RefusedException(refusal, rule.title()));
    Map<String, Object> body = json.readValue(sample.bytes(), new TypeReference<>() {});
    mediaType(answer, sample, body, api)
        .addExamples(rule.code(), new Example().summary(rule.title()).value(body));
    if (TEMPORARY.contains(refusal)) {
      answer.addHeaderObject(
          HttpHeaders.RETRY_AFTER,
          new Header()
              .schema(new IntegerSchema())
              .description("The seconds after which to try again, if that may help."));
    }
  }

  private static MediaType mediaType(
      ApiResponse answer, HttpAnswer sample, Map<String, Object> body, OpenAPI api) {
    if (answer.getContent() == null) {
      answer.setContent(new Content());
    }
    String type = sample.headers().first(HttpHeaders.CONTENT_TYPE).orElseThrow();
    return answer
        .getContent()
        .computeIfAbsent(type, it -> new MediaType().schema(reference(body, api)));
  }

  private static Schema<?> reference(Map<String, Object> body, OpenAPI api) {
    if (api.getComponents() == null) {
      api.setComponents(new Components());
    }
    api.getComponents().addSchemas(SCHEMA, schema(body)); // The same for every refusal.
    return new Schema<>().$ref(SCHEMA);
  }

  private static Schema<?> schema(Map<String, Object> body) {
    Schema<?> schema = new ObjectSchema();
    body.forEach((name, value) -> schema.addProperty(name, schema(value)));
    return schema;
  }

  @SuppressWarnings("unchecked") // Members of a JSON object have names.
  private static Schema<?> schema(Object value) {
    if (value instanceof Map<?, ?> object) {
      return schema((Map<String, Object>) object);
    }
    return value instanceof Number ? new IntegerSchema() : new StringSchema();
  }
}
