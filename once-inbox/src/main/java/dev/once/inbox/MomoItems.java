package dev.once.inbox;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads callbacks of MTN MoMo. The reference is the one that the payment was requested with. {@code
 * externalId} is ours too, but MTN accepts it twice. Callbacks are sent with and without the
 * reference, so it may be in the path of the callback's address instead.
 */
final class MomoItems implements Extraction {
  private static final String TRANSACTION = "transaction";
  private static final String PENDING = "PENDING";
  private static final Set<String> FINAL = Set.of("SUCCESSFUL", "FAILED");
  private static final Pattern STATUS = Pattern.compile("[A-Z_]{1,32}");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int MAX_REFERENCE_CHARS = 100;

  private static final FieldSource REFERENCE = FieldSource.at("/referenceId");
  private static final FieldSource REFERENCE_HEADER = FieldSource.header("x-reference-id");
  private static final FieldSource STATE =
      FieldSource.at("/status").or(FieldSource.at("/transactionStatus"));

  @Override
  public List<Item> items(Delivery delivery) {
    JsonNode json = StrictJson.parse(delivery.body());
    if (!json.isObject()) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    String reference = reference(delivery, json);
    String status =
        STATE
            .in(delivery, json)
            .map(it -> it.toUpperCase(Locale.ROOT))
            .filter(it -> STATUS.matcher(it).matches())
            .orElse("UNKNOWN");
    return status.equals(PENDING) ? List.of() : List.of(item(reference, status, json));
  }

  private static String reference(Delivery delivery, JsonNode json) {
    Optional<String> segment = delivery.path().stream().findFirst();
    Set<String> named =
        Stream.of(REFERENCE.in(delivery, json), segment, REFERENCE_HEADER.in(delivery, json))
            .flatMap(Optional::stream)
            .filter(it -> !it.isBlank())
            .map(it -> UUID.matcher(it).matches() ? it.toLowerCase(Locale.ROOT) : it)
            .collect(Collectors.toSet());
    if (named.isEmpty()) {
      throw new DeliveryRejectedException(RejectionReason.REFERENCE_MISSING);
    }
    String reference = named.iterator().next();
    // If two references differ, neither is trusted.
    if (named.size() > 1 || !ItemId.isUsable(reference, MAX_REFERENCE_CHARS)) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    return reference;
  }

  private static Item item(String reference, String status, JsonNode json) {
    ObjectNode data = StrictJson.object().put("reference", reference).put("status", status);
    data.set("callback", json);
    byte[] bytes = StrictJson.bytes(data);
    return new Item(
        FINAL.contains(status) ? TRANSACTION : Item.UNKNOWN,
        ItemId.of(reference, status)
            .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.MALFORMED)),
        "",
        StrictJson.fingerprint(StrictJson.bytes(json)),
        Optional.empty(),
        bytes);
  }
}
