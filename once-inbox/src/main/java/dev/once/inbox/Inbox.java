package dev.once.inbox;

import java.util.Optional;

/** Takes deliveries in. */
public interface Inbox {
  /** The provider of this name. */
  Optional<Provider> provider(String name);

  /** Takes a delivery in, or refuses it. */
  Receipt receive(String provider, Delivery delivery);
}
