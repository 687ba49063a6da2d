package dev.once.examples.payments;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A request to pay, as the provider stores it. */
record Charge(UUID reference, JsonNode asked, String callbackUrl, long acceptedNanos) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Returns the shop's id; the provider accepts the same one again. */
  String order() {
    return asked.path("externalId").asString();
  }

  Payer payer() {
    return Payer.of(asked.path("payer").path("partyId").asString());
  }

  /** Returns the body of a status answer and of a callback. */
  String json(String status, boolean withReference) {
    Map<String, Object> members = new LinkedHashMap<>();
    if (status.equals(MomoEndpoint.SUCCESSFUL)) {
      members.put("financialTransactionId", transaction());
    }
    for (String name : new String[] {"externalId", "amount", "currency", "payer"}) {
      Optional.ofNullable(asked.get(name)).ifPresent(it -> members.put(name, it));
    }
    members.put("status", status);
    if (withReference) {
      members.put("referenceId", reference.toString());
    }
    return JSON.writeValueAsString(members);
  }

  private String transaction() {
    return Long.toUnsignedString(reference.getMostSignificantBits() >>> 20);
  }
}
