package dev.once.http;

import dev.once.json.FingerprintParts;
import dev.once.json.JsonRefusedException;

/** A request's body, as far as two requests are compared by it. */
@FunctionalInterface
public interface HttpBody {
  /** There is no body. */
  HttpBody NONE = FingerprintParts::absent;

  /**
   * Adds what makes this body the same as another one.
   *
   * @throws JsonRefusedException if it is JSON without a single meaning
   */
  FingerprintParts addTo(FingerprintParts parts);

  /**
   * A body that was read whole. JSON is compared by its meaning, everything else by its bytes, and
   * both by their media type.
   *
   * @param contentType the Content-Type header; empty if there is none
   */
  static HttpBody of(String contentType, byte[] bytes) {
    String mediaType = MediaType.of(contentType);
    if (bytes.length == 0 && mediaType.isEmpty()) {
      return NONE;
    }
    return MediaType.isJson(mediaType)
        ? new JsonBody(mediaType, bytes)
        : parts -> parts.text(mediaType).bytes(bytes);
  }
}
