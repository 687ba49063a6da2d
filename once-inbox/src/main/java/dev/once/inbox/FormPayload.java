package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;

/**
 * Reads JSON from the field {@code payload} of a form, which GitHub sends if it is configured so.
 */
final class FormPayload {
  private static final String FIELD = "payload=";

  private FormPayload() {}

  /**
   * Returns the delivery with the JSON as its body, whether it was sent as a form or as JSON. The
   * media type is not signed: the field has to come first, or a text inside of JSON could be
   * presented as the field.
   */
  static Delivery unwrap(Delivery delivery) {
    if (!FormFields.isForm(delivery)) {
      return delivery;
    }
    String first = new String(delivery.body(), UTF_8).split("&", 2)[0];
    if (!first.startsWith(FIELD)) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    return delivery.withJson(decode(first.substring(FIELD.length())));
  }

  private static byte[] decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8).getBytes(UTF_8);
    } catch (IllegalArgumentException e) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
  }
}
