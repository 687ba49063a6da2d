package dev.once.effects;

import dev.once.events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The requests that events of orders make. */
final class OrderRequests {
  private OrderRequests() {}

  static Optional<ApiRequest> map(Event event) {
    String path = "/v1/orders/" + event.aggregate().id();
    return switch (event.content().type()) {
      case TestEvents.NOTED -> Optional.empty();
      case TestEvents.DELETED -> Optional.of(ApiRequest.delete(path));
      default ->
          Optional.of(
              ApiRequest.put(path, new String(event.content().data(), StandardCharsets.UTF_8)));
    };
  }
}
