package dev.once.examples.pipeline;

import dev.once.events.Aggregate;
import dev.once.examples.pipeline.Problem.RefusedException;
import dev.once.opensearch.ReadModel;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the commands of one collection from requests, and refuses what is none. */
record CommandReader(Kind kind) {
  static final String KEY_HEADER = "Idempotency-Key";
  static final String CORRELATION_HEADER = "X-Correlation-Id";
  static final int MAX_BODY_BYTES = 64 * 1024;

  private static final String ID = "id";
  private static final String EVENT_ID = "event_id";
  private static final String EXPECTED = "expected_seq";
  private static final int MAX_NAME_CHARS = 200;
  private static final int MAX_CORRELATION_CHARS = 128;

  /** Keeps numbers as they are: two payloads are equal only if their numbers are. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Reads {@code POST}: a new aggregate, which has no events yet. */
  Command create(HttpServletRequest request) throws IOException, RefusedException {
    if (!pathId(request).isEmpty()) {
      throw Problem.of(405, "command.method", "POST creates in the collection: PUT changes this")
          .refused();
    }
    ObjectNode body = body(request);
    if (body.path(EXPECTED).asLong(0) != 0) {
      throw Problem.invalid("a new aggregate has no events: leave expected_seq out").refused();
    }
    String eventId = eventId(request, text(body, EVENT_ID)).orElseGet(CommandReader::randomId);
    // A retry without an id in its body must get the same aggregate.
    String id = text(body, ID).orElseGet(() -> idFor(eventId));
    if (id.equals(".") || id.equals("..")) {
      throw Problem.invalid("id must not be a dot or two: no path could name it").refused();
    }
    return command(request, eventId, id, kind.created(), state(id, body), 0);
  }

  /** Reads {@code PUT}: the whole new state of an aggregate. */
  Command update(HttpServletRequest request) throws IOException, RefusedException {
    String id = requireId(request);
    ObjectNode body = body(request);
    if (text(body, ID).filter(it -> !it.equals(id)).isPresent()) {
      throw Problem.invalid("id must be that of the path: leave it out").refused();
    }
    long expected = expected(body.path(EXPECTED).isMissingNode() ? null : body.get(EXPECTED));
    String eventId = eventId(request, text(body, EVENT_ID)).orElseGet(CommandReader::randomId);
    return command(request, eventId, id, kind.updated(), state(id, body), expected);
  }

  /** Reads {@code DELETE}, whose values are parameters of the query. */
  Command delete(HttpServletRequest request) throws RefusedException {
    String id = requireId(request);
    String given = request.getParameter(EXPECTED);
    long expected = expected(given == null ? null : JSON.getNodeFactory().stringNode(given));
    String eventId =
        eventId(request, Optional.ofNullable(request.getParameter(EVENT_ID)))
            .orElseGet(CommandReader::randomId);
    ObjectNode state = JSON.createObjectNode().put(ID, id);
    return command(request, eventId, id, kind.deleted(), state, expected);
  }

  private Command command(
      HttpServletRequest request,
      String eventId,
      String id,
      String type,
      ObjectNode state,
      long expected)
      throws RefusedException {
    try {
      Command command =
          new Command(
              eventId,
              new Aggregate(kind.text(), id),
              type,
              state,
              expected,
              correlationId(request));
      var unused = command.event(); // Checks lengths and characters.
      return command;
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage())).refused();
    }
  }

  private static ObjectNode body(HttpServletRequest request) throws IOException, RefusedException {
    String type = String.valueOf(request.getContentType()).split(";", 2)[0].strip();
    if (!type.equalsIgnoreCase("application/json")) {
      throw Problem.of(415, "command.media_type", "the body must be application/json").refused();
    }
    byte[] bytes = request.getInputStream().readNBytes(MAX_BODY_BYTES + 1);
    if (bytes.length > MAX_BODY_BYTES) {
      throw Problem.of(413, "command.too_large", "a body has at most " + MAX_BODY_BYTES + " bytes")
          .refused();
    }
    try {
      if (JSON.readTree(bytes) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw Problem.invalid("the body is not JSON, or has a member twice").refused();
    }
    throw Problem.invalid("the body must be a JSON object").refused();
  }

  /** Returns what the event says: all members that describe the aggregate, the id first. */
  private ObjectNode state(String id, ObjectNode body) throws RefusedException {
    ObjectNode state = JSON.createObjectNode().put(ID, id);
    body.properties().forEach(it -> state.set(it.getKey(), it.getValue()));
    state.put(ID, id);
    state.remove(EVENT_ID);
    state.remove(EXPECTED);
    if (state.has(ReadModel.DELETED_FIELD)) {
      throw Problem.invalid(ReadModel.DELETED_FIELD + " is a reserved name").refused();
    }
    require(state, State.NAME);
    if (kind == Kind.INSTANCE) {
      require(state, State.TYPE);
    }
    return state;
  }

  private static void require(ObjectNode state, String member) throws RefusedException {
    String value = text(state, member).orElse("");
    if (value.isBlank() || value.length() > MAX_NAME_CHARS) {
      throw Problem.invalid(
              "%s must be a text of 1 to %d characters".formatted(member, MAX_NAME_CHARS))
          .refused();
    }
  }

  private static long expected(@Nullable JsonNode given) throws RefusedException {
    if (given == null) {
      throw Problem.of(
              428,
              "concurrency.expected_seq_required",
              "say which sequence you have seen last: expected_seq, in the body of PUT or as a"
                  + " parameter of DELETE")
          .refused();
    }
    long expected = given.isIntegralNumber() || given.isString() ? given.asLong(0) : 0;
    if (expected < 1) {
      throw Problem.invalid("expected_seq must be a whole number of at least 1: POST creates")
          .refused();
    }
    return expected;
  }

  private static Optional<String> eventId(HttpServletRequest request, Optional<String> given)
      throws RefusedException {
    Optional<String> key = Optional.ofNullable(request.getHeader(KEY_HEADER));
    if (key.isPresent() && given.isPresent() && !key.equals(given)) {
      throw Problem.invalid(KEY_HEADER + " and event_id differ: send one of them").refused();
    }
    return key.or(() -> given);
  }

  private static String correlationId(HttpServletRequest request) {
    String given = request.getHeader(CORRELATION_HEADER);
    return given == null || given.isBlank() || given.length() > MAX_CORRELATION_CHARS
        ? randomId()
        : given;
  }

  private static Optional<String> text(ObjectNode object, String member) throws RefusedException {
    JsonNode value = object.path(member);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isString()) {
      throw Problem.invalid(member + " must be a text").refused();
    }
    return Optional.of(value.stringValue());
  }

  private static String requireId(HttpServletRequest request) throws RefusedException {
    String id = pathId(request);
    if (id.isEmpty()) {
      throw Problem.of(405, "command.method", "name one of the collection: /v1/…/{id}").refused();
    }
    return id;
  }

  /** Returns the id in the path, from its undecoded form: an id may have a slash. */
  private static String pathId(HttpServletRequest request) {
    int prefix = request.getServletPath().length() + 1;
    String path = request.getRequestURI();
    String raw = path.length() <= prefix ? "" : path.substring(prefix);
    return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String idFor(String eventId) {
    return UUID.nameUUIDFromBytes(eventId.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static String randomId() {
    return UUID.randomUUID().toString();
  }
}
