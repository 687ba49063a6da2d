package dev.once.webhooks;

import dev.once.Key;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import dev.once.internal.JobPayload;
import dev.once.spi.Packing;

/** Encrypts targets where they are stored, if there are keys. */
record SealedTargets(Packing packing) {
  private static final String SCOPE = "webhook_endpoint";

  static SealedTargets of(Sealing sealing) {
    return new SealedTargets(Packing.of(sealing));
  }

  JobPayload seal(WebhookEndpoint endpoint) {
    return JobPayload.of(
        packing, keyOf(endpoint.tenant(), endpoint.id()), endpoint.target().toBytes());
  }

  /**
   * Returns the target of an endpoint.
   *
   * @throws UnreadableOutcomeException if it is sealed and cannot be opened for this endpoint
   */
  Target open(EndpointRow row) {
    return Target.parse(row.target().open(packing, keyOf(row.tenant(), row.id())));
  }

  private static Key keyOf(String tenant, String id) {
    return new Key(tenant, SCOPE, id);
  }
}
