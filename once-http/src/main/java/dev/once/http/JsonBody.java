package dev.once.http;

import dev.once.json.CanonicalJson;
import dev.once.json.FingerprintParts;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A JSON body, compared without regard to white space, member order and spelling of numbers. */
final class JsonBody implements HttpBody {
  private static final Set<Reason> MALFORMED =
      EnumSet.of(
          Reason.EMPTY, Reason.NOT_UTF8, Reason.SYNTAX, Reason.TRUNCATED, Reason.TRAILING_CONTENT);

  private final String mediaType;
  private final byte[] bytes;

  JsonBody(String mediaType, byte[] bytes) {
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  /**
   * Returns the canonical text of a member of this object; empty if there is none.
   *
   * @throws JsonRefusedException if the body is not JSON with a single meaning
   */
  Optional<byte[]> member(CanonicalJson json, String name) {
    return json.valueAt("/" + name, bytes);
  }

  /** Returns this object without one of its members. */
  JsonBody without(CanonicalJson json, String name) {
    return new JsonBody(mediaType, json.withoutAt("/" + name).bytes(bytes));
  }

  @Override
  public FingerprintParts addTo(FingerprintParts parts) {
    return parts.text(mediaType).json(bytes);
  }

  /**
   * Adds a body that is not valid JSON by its bytes, to newly started parts: the handler refuses
   * the request itself, and its answer is kept.
   *
   * @throws JsonRefusedException {@code refused} itself, if the body is JSON without a single
   *     meaning
   */
  FingerprintParts addMalformedTo(FingerprintParts parts, JsonRefusedException refused) {
    if (!MALFORMED.contains(refused.reason())) {
      throw refused;
    }
    return parts.text(mediaType).bytes(bytes);
  }
}
