package dev.once.http;

import dev.once.json.FingerprintParts;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

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
   * A body that was read whole. JSON is compared by its meaning, everything else by its bytes and
   * media type.
   *
   * @param contentType the Content-Type header; empty if there is none
   */
  static HttpBody of(String contentType, byte[] bytes) {
    String mediaType = mediaType(contentType);
    if (bytes.length == 0 && mediaType.isEmpty()) {
      return NONE;
    }
    return isJson(mediaType) ? new Json(bytes) : new Opaque(mediaType, bytes);
  }

  private static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  private static boolean isJson(String mediaType) {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }

  /** Bytes that mean nothing to us. */
  record Opaque(String mediaType, byte[] bytes) implements HttpBody {
    @Override
    public FingerprintParts addTo(FingerprintParts parts) {
      return parts.text(mediaType).bytes(bytes);
    }
  }

  /** A document whose white space, order of members and spelling of numbers do not matter. */
  record Json(byte[] bytes) implements HttpBody {
    /** Not JSON at all: the handler will say so, in its own words, and its answer is kept. */
    private static final Set<Reason> MALFORMED =
        EnumSet.of(
            Reason.EMPTY,
            Reason.NOT_UTF8,
            Reason.SYNTAX,
            Reason.TRUNCATED,
            Reason.TRAILING_CONTENT);

    @Override
    public FingerprintParts addTo(FingerprintParts parts) {
      return parts.json(bytes);
    }

    static boolean isMalformed(JsonRefusedException refused) {
      return MALFORMED.contains(refused.reason());
    }
  }
}
