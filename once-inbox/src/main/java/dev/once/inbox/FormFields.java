package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields of a form, by name. */
final class FormFields {
  static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

  /** How JSON begins, and no form does: senders escape these characters. */
  private static final Pattern JSON = Pattern.compile("\\s*[\\[{\"]");

  private FormFields() {}

  static boolean isForm(Delivery delivery) {
    return delivery.mediaType().equals(MEDIA_TYPE);
  }

  /** Returns the fields in the order of their names, each with its values as they were sent. */
  static SortedMap<String, List<String>> of(byte[] body) {
    SortedMap<String, List<String>> fields = new TreeMap<>();
    for (String field : new String(body, UTF_8).split("&", -1)) {
      if (!field.isEmpty()) {
        int equals = field.indexOf('=');
        String name = equals < 0 ? field : field.substring(0, equals);
        String value = equals < 0 ? "" : field.substring(equals + 1);
        fields.computeIfAbsent(decode(name), it -> new ArrayList<>()).add(decode(value));
      }
    }
    return fields;
  }

  /**
   * Returns names and values one after the other, in the order of the names, as Twilio signs them:
   * a value that a field has twice counts once.
   */
  static String sorted(byte[] body) {
    StringBuilder text = new StringBuilder();
    of(body)
        .forEach(
            (name, values) ->
                values.stream().distinct().sorted().forEach(it -> text.append(name).append(it)));
    return text.toString();
  }

  /**
   * Returns the delivery with a form as a JSON object of texts; any other delivery as it is. The
   * media type is not signed: JSON that is declared as a form is refused, because a text in it may
   * look like more fields.
   */
  static Delivery asJson(Delivery delivery) {
    if (!isForm(delivery)) {
      return delivery;
    }
    if (JSON.matcher(new String(delivery.body(), UTF_8)).lookingAt()) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    ObjectNode json = StrictJson.object();
    of(delivery.body())
        .forEach(
            (name, values) -> {
              if (values.size() == 1) {
                json.put(name, values.get(0));
              } else {
                ArrayNode array = json.putArray(name);
                values.forEach(array::add);
              }
            });
    return delivery.withJson(StrictJson.bytes(json));
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
  }
}
