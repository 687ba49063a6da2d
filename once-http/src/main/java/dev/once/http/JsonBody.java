package dev.once.http;

import dev.once.json.FingerprintParts;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.util.EnumSet;
import java.util.Set;

/** A document whose white space, order of members and spelling of numbers do not matter. */
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

  @Override
  public FingerprintParts addTo(FingerprintParts parts) {
    return parts.text(mediaType).json(bytes);
  }

  /**
   * Adds a body that is not JSON at all by its bytes, to parts that were begun anew: the handler
   * will refuse it in its own words, and its answer is kept.
   *
   * @throws JsonRefusedException the same, if it is JSON but without a single meaning
   */
  FingerprintParts addMalformedTo(FingerprintParts parts, JsonRefusedException refused) {
    if (!MALFORMED.contains(refused.reason())) {
      throw refused;
    }
    return parts.text(mediaType).bytes(bytes);
  }
}
