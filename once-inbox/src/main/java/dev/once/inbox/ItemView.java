package dev.once.inbox;

import dev.once.Key;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An item as operators see it, without its content.
 *
 * @param id identifies it among the items of its provider
 * @param receivedAt when it was recorded
 * @param job the job that processes it, or did
 * @param attempt how many attempts of its job failed, or ended
 * @param runAt when its job is due
 * @param reason why its last attempt failed
 */
public record ItemView(
    String tenant,
    String provider,
    String id,
    ItemState state,
    Instant receivedAt,
    OptionalLong job,
    int attempt,
    Optional<Instant> runAt,
    Optional<String> reason) {
  /** Returns the key of its record. */
  public Key key() {
    String scope = state == ItemState.CONFLICT ? IncomingItem.CONFLICT_SCOPE : IncomingItem.SCOPE;
    return new Key(tenant, scope + provider, id);
  }

  /** Shows what is safe in a log: ids and reasons may be private. */
  @Override
  public String toString() {
    return "ItemView[%s, %s, #%s, %s]".formatted(tenant, provider, key().shortHash(), state);
  }
}
