package dev.once.claims;

import dev.once.json.CanonicalJson;
import dev.once.json.JsonLimits;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request: an object of JSON with a single meaning. The rules are those of
 * fingerprints, so no member can be repeated and no text can have half a surrogate pair.
 */
final class Body {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final CanonicalJson rule;
  private final byte[] bytes;
  private final ObjectNode object;

  private Body(CanonicalJson rule, byte[] bytes, ObjectNode object) {
    this.rule = rule;
    this.bytes = bytes;
    this.object = object;
  }

  /** Reads a body of at most {@code maxBytes}. */
  static Body read(HttpServletRequest request, int maxBytes) throws IOException {
    requireJson(request);
    if (request.getContentLengthLong() > maxBytes) {
      throw tooLarge(maxBytes);
    }
    byte[] bytes = request.getInputStream().readNBytes(maxBytes + 1);
    if (bytes.length > maxBytes) {
      throw tooLarge(maxBytes);
    }
    return of(bytes, CanonicalJson.standard().within(JsonLimits.DEFAULTS.withMaxBytes(maxBytes)));
  }

  Members members() {
    return Members.of(object);
  }

  /** Returns the canonical text of a member; empty if there is none. */
  Optional<byte[]> canonical(String name) {
    return object.has(name) ? rule.valueAt("/" + name, bytes) : Optional.empty();
  }

  private static Body of(byte[] bytes, CanonicalJson rule) {
    byte[] canonical;
    try {
      canonical = rule.bytes(bytes);
    } catch (JsonRefusedException e) {
      throw refused(e);
    }
    if (MAPPER.readTree(canonical) instanceof ObjectNode object) {
      return new Body(rule, bytes, object);
    }
    throw new ProblemException(Problem.BODY_REFUSED, "the body must be a JSON object");
  }

  /** Returns the problem of JSON without a single meaning; its message never repeats the JSON. */
  static ProblemException refused(JsonRefusedException refused) {
    return new ProblemException(
        refused.reason() == Reason.TOO_LARGE ? Problem.BODY_TOO_LARGE : Problem.BODY_REFUSED,
        String.valueOf(refused.getMessage()));
  }

  /** A page of another origin can make a browser send other types, without asking first. */
  private static void requireJson(HttpServletRequest request) {
    String type = Objects.requireNonNullElse(request.getContentType(), "");
    int end = type.indexOf(';');
    String media = (end < 0 ? type : type.substring(0, end)).strip();
    if (!media.toLowerCase(Locale.ROOT).equals("application/json")) {
      throw new ProblemException(
          Problem.MEDIA_TYPE_REFUSED, "send the body with Content-Type: application/json");
    }
  }

  private static ProblemException tooLarge(int maxBytes) {
    return new ProblemException(
        Problem.BODY_TOO_LARGE,
        "the body must have at most "
            + maxBytes
            + " bytes: send less, and the size of a larger payload as dropped_bytes");
  }
}
