package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Arrays;

/** JSON in the field {@code payload} of a form, as GitHub sends it if told to. */
final class FormPayload {
  static final String MEDIA_TYPE = "application/x-www-form-urlencoded";
  private static final String FIELD = "payload=";

  private FormPayload() {}

  /** The delivery with the JSON as its body, in whichever of the two forms it came. */
  static Delivery unwrap(Delivery delivery) {
    if (!delivery.mediaType().equals(MEDIA_TYPE)) {
      return delivery;
    }
    return Arrays.stream(new String(delivery.body(), UTF_8).split("&"))
        .filter(it -> it.startsWith(FIELD))
        .findFirst()
        .map(it -> delivery.withBody(decode(it.substring(FIELD.length()))))
        .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.MALFORMED));
  }

  private static byte[] decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8).getBytes(UTF_8);
    } catch (IllegalArgumentException e) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
  }
}
