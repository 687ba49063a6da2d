package dev.once.http;

import dev.once.json.FingerprintParts;
import dev.once.json.JsonRefusedException;

/** The part of a request's fingerprint that comes from its body. */
@FunctionalInterface
public interface HttpBody {
  /** No body. */
  HttpBody NONE = FingerprintParts::absent;

  /**
   * Adds what identifies this body in a comparison with another one.
   *
   * @throws JsonRefusedException if it is JSON without a single meaning
   */
  FingerprintParts addTo(FingerprintParts parts);

  /**
   * Returns a body that was read completely. JSON is compared by its meaning, everything else by
   * its bytes, and both by their media type and charset.
   *
   * @param contentType the Content-Type header; empty if there is none
   */
  static HttpBody of(String contentType, byte[] bytes) {
    String mediaType = MediaType.of(contentType);
    if (bytes.length == 0 && mediaType.isEmpty()) {
      return NONE;
    }
    String type = MediaType.withCharset(contentType);
    return MediaType.isJson(mediaType)
        ? new JsonBody(type, bytes)
        : parts -> parts.text(type).bytes(bytes);
  }

  /**
   * Returns a body that is too large for memory, by its digest. It equals no body that was read
   * into memory, so an adapter must decide by the size alone which of the two it makes.
   *
   * @param contentType the Content-Type header; empty if there is none
   * @param sha256 the SHA-256 of all its bytes
   */
  static HttpBody ofSha256(String contentType, byte[] sha256) {
    String type = MediaType.withCharset(contentType);
    byte[] copy = sha256.clone();
    return parts -> parts.text(type).text("sha256").bytes(copy);
  }
}
