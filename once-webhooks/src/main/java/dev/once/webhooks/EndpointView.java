package dev.once.webhooks;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * An endpoint as operators see it, without its secrets.
 *
 * @param url empty if it is sealed with a key that this process does not have; it may be a secret
 * @param types the types of the messages that it receives; empty for all
 * @param failingSince the first failure since the last success, if it fails
 * @param disabledAt since when it is not called; empty while it is enabled
 */
public record EndpointView(
    String tenant,
    String id,
    Optional<URI> url,
    Set<String> types,
    boolean isOrdered,
    Optional<Instant> failingSince,
    Optional<String> lastFailure,
    Optional<Instant> disabledAt,
    Optional<String> disabledReason) {
  public EndpointView {
    types = Set.copyOf(types);
  }

  public boolean isDisabled() {
    return disabledAt.isPresent();
  }

  /** Shows the host alone: the rest of a URL may be a secret. */
  @Override
  public String toString() {
    return "EndpointView[%s, %s, %s%s]"
        .formatted(
            tenant,
            id,
            url.map(URI::getHost).orElse("sealed"),
            disabledReason.map(it -> ", disabled: " + it).orElse(""));
  }
}
