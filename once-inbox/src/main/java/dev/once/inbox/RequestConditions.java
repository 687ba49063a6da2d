package dev.once.inbox;

import dev.once.internal.Limits;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Limits which requests are read, by their heads alone.
 *
 * @param methods the methods of deliveries, in capitals
 * @param mediaTypes the types of bodies, without parameters and in lower case; {@link #ANY} if they
 *     do not matter
 * @param maxBytes the largest body
 */
record RequestConditions(List<String> methods, List<String> mediaTypes, int maxBytes) {
  /** Bodies are read into memory before they are verified. */
  static final int MAX_BYTES = 64 << 20;

  /** Accepts bodies of any type and of none. */
  static final String ANY = "*/*";

  RequestConditions {
    methods = List.copyOf(methods);
    mediaTypes = mediaTypes.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
    Limits.range("number of media types", mediaTypes.size(), 1, Integer.MAX_VALUE);
    Limits.range("largest body in bytes", maxBytes, 1, MAX_BYTES);
  }

  /**
   * Refuses a request with another method or type, or with a body that is or is announced to be too
   * long.
   */
  void check(Delivery delivery, long bytes) {
    if (!methods.contains(delivery.method())) {
      Map<String, String> allow = Map.of("Allow", String.join(", ", methods));
      throw new DeliveryRejectedException(
          RejectionReason.METHOD, RejectionReason.METHOD.webhookResponse(allow));
    }
    boolean hasType = mediaTypes.contains(ANY) || mediaTypes.contains(delivery.mediaType());
    if (!delivery.method().equals("GET") && !hasType) {
      throw new DeliveryRejectedException(RejectionReason.MEDIA_TYPE);
    }
    if (bytes > maxBytes) {
      throw new DeliveryRejectedException(RejectionReason.TOO_LARGE);
    }
  }

  RequestConditions withMediaTypes(List<String> types) {
    return new RequestConditions(methods, types, maxBytes);
  }

  RequestConditions withMaxBytes(int bytes) {
    return new RequestConditions(methods, mediaTypes, bytes);
  }
}
