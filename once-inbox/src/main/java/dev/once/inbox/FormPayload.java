package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Arrays;

/**
 * Reads JSON from the field {@code payload} of a form, which GitHub sends if it is configured so.
 */
final class FormPayload {
  private static final String FIELD = "payload=";

  private FormPayload() {}

  /** Returns the delivery with the JSON as its body, whether it was sent as a form or as JSON. */
  static Delivery unwrap(Delivery delivery) {
    if (!FormFields.isForm(delivery)) {
      return delivery;
    }
    return Arrays.stream(new String(delivery.body(), UTF_8).split("&"))
        .filter(it -> it.startsWith(FIELD))
        .findFirst()
        .map(it -> delivery.withJson(decode(it.substring(FIELD.length()))))
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
