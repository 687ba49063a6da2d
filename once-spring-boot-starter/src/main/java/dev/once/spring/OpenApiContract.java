package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.http.IfMatch;
import dev.once.http.KeyRule;
import dev.once.http.Refusal;
import dev.once.http.ReplayHeaders;
import dev.once.http.Route;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;

/**
 * Describes the contract on every operation that it covers: the headers of requests, the refusals,
 * and the headers that report a replay. Keeps what the application describes itself.
 */
final class OpenApiContract implements GlobalOpenApiCustomizer {
  private final OpenApiHandlers handlers;
  private final MvcRoutes routes;
  private final HttpOnce http;
  private final OpenApiRefusals refusals;

  OpenApiContract(OpenApiHandlers handlers, MvcRoutes routes, HttpOnce http) {
    this.handlers = handlers;
    this.routes = routes;
    this.http = http;
    this.refusals = new OpenApiRefusals(http);
  }

  @Override
  public void customise(OpenAPI api) {
    if (api.getPaths() == null) {
      return;
    }
    api.getPaths()
        .forEach(
            (path, item) ->
                item.readOperationsMap()
                    .forEach((method, it) -> describe(api, path, method.name(), it)));
  }

  private void describe(OpenAPI api, String path, String method, Operation operation) {
    handlers
        .find(path, method)
        .ifPresent(
            found ->
                routes
                    .route(found.handler(), found.pattern(), method)
                    .filter(route -> http.covers(method, route))
                    .ifPresent(route -> describe(api, operation, route, found.handler())));
  }

  private void describe(OpenAPI api, Operation operation, Route route, HandlerMethod handler) {
    boolean requiresKey = http.requiresKey(route);
    boolean hasRevision = hasRevision(handler);
    ApiResponses answers = answersOf(operation);
    answers.forEach(this::markReplays);
    addParameter(operation, key(requiresKey));
    if (hasRevision) {
      addParameter(operation, ifMatch());
    }
    refusalsOf(operation, requiresKey, hasRevision).forEach(it -> refusals.addTo(answers, it, api));
  }

  /** Returns the refusals that a client can cause, or has to handle, in the order of the checks. */
  private List<Refusal> refusalsOf(Operation operation, boolean requiresKey, boolean hasRevision) {
    List<Refusal> all = new ArrayList<>();
    if (requiresKey) {
      all.add(Refusal.KEY_REQUIRED);
    }
    all.add(Refusal.KEY_INVALID);
    if (operation.getRequestBody() != null) {
      all.add(Refusal.BODY_REFUSED);
    }
    all.addAll(
        List.of(
            Refusal.PAYLOAD_MISMATCH,
            Refusal.IN_FLIGHT,
            Refusal.UNCERTAIN,
            Refusal.ANSWER_NOT_KEPT,
            Refusal.STORE_UNAVAILABLE,
            Refusal.OUTCOME_UNKNOWN));
    if (hasRevision) {
      if (contract().ifMatch().required()) {
        all.add(Refusal.IF_MATCH_REQUIRED);
      }
      all.addAll(List.of(Refusal.IF_MATCH_INVALID, Refusal.VERSION_MISMATCH));
    }
    return all;
  }

  private HeaderParameter key(boolean required) {
    KeyRule rule = contract().key();
    Schema<?> schema = new StringSchema().minLength(1).maxLength(rule.maxChars());
    if (rule.form() == KeyRule.Form.UUID_V4) {
      schema = new StringSchema().format("uuid");
    }
    HeaderParameter parameter = new HeaderParameter();
    parameter
        .name(rule.header())
        .required(required)
        .schema(schema)
        .description(
            "Names this operation. Sent again with the same key, it takes effect once and gets the"
                + " same answer.");
    return parameter;
  }

  private HeaderParameter ifMatch() {
    HeaderParameter parameter = new HeaderParameter();
    parameter
        .name(HttpHeaders.IF_MATCH)
        .required(contract().ifMatch().required())
        .schema(new StringSchema().example("\"3\""))
        .description("The ETag of the revision that this operation changes.");
    return parameter;
  }

  /** Adds the headers of replays to a success. */
  private void markReplays(String status, ApiResponse answer) {
    if (!status.startsWith("2") || answer.get$ref() != null) {
      return;
    }
    ReplayHeaders headers = contract().replayHeaders();
    if (!headers.replayed().isEmpty()) {
      answer.addHeaderObject(
          headers.replayed(),
          header(
              new StringSchema().addEnumItem("true"),
              "The answer is that of an earlier request with this key; absent otherwise."));
    }
    if (headers.status()) {
      answer.addHeaderObject(
          ReplayHeaders.STATUS,
          header(new StringSchema(), "HIT if the answer is that of an earlier request."));
      answer.addHeaderObject(
          ReplayHeaders.KEY, header(new StringSchema(), "The key of the request."));
    }
  }

  private static Header header(Schema<?> schema, String description) {
    return new Header().schema(schema).description(description);
  }

  private static ApiResponses answersOf(Operation operation) {
    if (operation.getResponses() == null) {
      operation.setResponses(new ApiResponses());
    }
    return operation.getResponses();
  }

  private static void addParameter(Operation operation, HeaderParameter parameter) {
    boolean isDescribed =
        operation.getParameters() != null
            && operation.getParameters().stream()
                .anyMatch(it -> parameter.getName().equalsIgnoreCase(it.getName()));
    if (!isDescribed) {
      operation.addParametersItem(parameter);
    }
  }

  private static boolean hasRevision(HandlerMethod handler) {
    return Arrays.asList(handler.getMethod().getParameterTypes()).contains(IfMatch.class);
  }

  private Contract contract() {
    return http.contract();
  }
}
