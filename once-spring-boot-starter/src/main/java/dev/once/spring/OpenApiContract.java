package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.http.IfMatch;
import dev.once.http.IfMatchRule;
import dev.once.http.KeyRule;
import dev.once.http.Refusal;
import dev.once.http.ReplayHeaders;
import dev.once.http.Route;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;

/**
 * Describes the contract on every operation that it covers: the headers of requests, the refusals,
 * and the headers that report a replay. Keeps what the application describes itself.
 */
final class OpenApiContract implements GlobalOpenApiCustomizer {
  private static final String IF_MATCH = "if_match";
  private static final Pattern JSON = Pattern.compile("application/(\\S+\\+)?json");
  private static final String INSTEAD_OF_HEADER =
      "The revision that this operation changes, if the client cannot send If-Match.";

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

  private void describe(
      OpenAPI api, Operation operation, Route route, @Nullable HandlerMethod handler) {
    boolean requiresKey = http.requiresKey(route);
    boolean hasRevision = hasRevision(handler);
    ApiResponses answers = answersOf(operation);
    answers.forEach(this::markReplays);
    addParameter(operation, key(requiresKey));
    if (hasRevision) {
      describeRevision(operation);
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

  private Parameter key(boolean required) {
    KeyRule rule = contract().key();
    Schema<?> schema = new StringSchema().minLength(1).maxLength(rule.maxChars());
    if (rule.form() == KeyRule.Form.UUID_V4) {
      schema = new StringSchema().format("uuid");
    }
    return new HeaderParameter()
        .name(rule.header())
        .required(required)
        .schema(schema)
        .description(
            "Names this operation. Sent again with the same key, it takes effect once and gets the"
                + " same answer.");
  }

  private void describeRevision(Operation operation) {
    IfMatchRule rule = contract().ifMatch();
    addParameter(
        operation,
        new HeaderParameter()
            .name(HttpHeaders.IF_MATCH)
            .required(rule.required() && !rule.parameterAllowed())
            .schema(new StringSchema().example("\"3\""))
            .description("The ETag of the revision that this operation changes."));
    if (rule.parameterAllowed() && !isDescribed(operation, IF_MATCH)) {
      operation.addParametersItem(
          new QueryParameter()
              .name(IF_MATCH)
              .required(false)
              .schema(new StringSchema().example("3"))
              .description(INSTEAD_OF_HEADER));
      addMember(operation.getRequestBody());
    }
  }

  /** Adds {@code if_match} to a JSON object that is the body. */
  private static void addMember(@Nullable RequestBody body) {
    if (body == null || body.getContent() == null) {
      return;
    }
    body.getContent().forEach(OpenApiContract::addMember);
  }

  private static void addMember(String type, MediaType content) {
    if (!JSON.matcher(type).lookingAt() || content.getSchema() == null) {
      return;
    }
    Schema<?> member = new StringSchema().example("3").description(INSTEAD_OF_HEADER);
    content.setSchema(
        new Schema<>()
            .addAllOfItem(content.getSchema())
            .addAllOfItem(new ObjectSchema().addProperty(IF_MATCH, member)));
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

  private static void addParameter(Operation operation, Parameter parameter) {
    if (!isDescribed(operation, parameter.getName())) {
      operation.addParametersItem(parameter);
    }
  }

  private static boolean isDescribed(Operation operation, String parameter) {
    return operation.getParameters() != null
        && operation.getParameters().stream()
            .anyMatch(it -> parameter.equalsIgnoreCase(it.getName()));
  }

  private static boolean hasRevision(@Nullable HandlerMethod handler) {
    return handler != null
        && Arrays.asList(handler.getMethod().getParameterTypes()).contains(IfMatch.class);
  }

  private Contract contract() {
    return http.contract();
  }
}
