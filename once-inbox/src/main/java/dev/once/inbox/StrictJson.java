package dev.once.inbox;

import dev.once.Fingerprint;
import dev.once.json.CanonicalJson;
import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonLimits;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads JSON that has exactly one meaning: no duplicate names, nothing after the end, numbers with
 * all their digits. Jackson's own limits on nesting (500) and on the length of numbers (1000)
 * apply. Escaped lone surrogates are accepted, because providers cut texts in the middle of an
 * emoji.
 */
final class StrictJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final Fingerprinter FINGERPRINTS =
      Fingerprinter.builder()
          .json(
              CanonicalJson.standard()
                  .within(JsonLimits.DEFAULTS.withMaxBytes(RequestConditions.MAX_BYTES)))
          .build();

  /** Reasons for which valid JSON has no canonical form; it is compared byte by byte. */
  private static final Set<Reason> WITHOUT_FORM =
      EnumSet.of(
          Reason.LONE_SURROGATE,
          Reason.TOO_DEEP,
          Reason.TOO_MANY_DIGITS,
          Reason.EXPONENT_TOO_LARGE);

  private StrictJson() {}

  static JsonNode parse(byte[] json) {
    try {
      JsonNode node = MAPPER.readTree(json);
      if (!node.isMissingNode()) {
        return node;
      }
    } catch (JacksonException | NumberFormatException e) { // 1e99999999999 causes the latter.
      // The cause would show a part of the body.
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    throw new DeliveryRejectedException(RejectionReason.MALFORMED);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] bytes(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  /**
   * Returns the JSON without these members; empty if it has none of them, so that its bytes can be
   * used as they are.
   */
  static Optional<byte[]> without(List<JsonPointer> members, JsonNode json) {
    if (members.stream().allMatch(it -> json.at(it).isMissingNode())) {
      return Optional.empty();
    }
    JsonNode copy = json.deepCopy();
    for (JsonPointer member : members) {
      if (copy.at(member.head()) instanceof ObjectNode parent) {
        parent.remove(member.last().getMatchingProperty());
      }
    }
    return Optional.of(bytes(copy));
  }

  /**
   * Returns the fingerprint of {@code texts} and of the JSON's canonical form, each as a part of
   * its own.
   */
  static Fingerprint fingerprint(byte[] json, String... texts) {
    try {
      return start(texts).json(json).finish();
    } catch (JsonRefusedException e) {
      if (!WITHOUT_FORM.contains(e.reason())) {
        throw new DeliveryRejectedException(RejectionReason.MALFORMED);
      }
      return start(texts).bytes(json).finish();
    }
  }

  /** Returns a digest of a text alone. */
  static String digest(String text) {
    return start(text).finish().digest();
  }

  private static FingerprintParts start(String... texts) {
    FingerprintParts parts = FINGERPRINTS.start();
    for (String text : texts) {
      parts.text(text);
    }
    return parts;
  }
}
