package dev.once.events;

import dev.once.events.ClaimAnswer.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Claims and settles events without a consumer. */
record RegistryClient(Registry registry) {
  List<ClaimAnswer> claim(Event... events) {
    List<EventClaimRequest> requests = new ArrayList<>();
    for (Event event : events) {
      requests.add(new EventClaimRequest(event, ThreadLocalRandom.current().nextLong(), false));
    }
    return registry.claim(requests);
  }

  ClaimAnswer claimOne(Event event) {
    return claim(event).get(0);
  }

  /** Claims an event that has to be free. */
  EventLease granted(Event event) {
    if (claimOne(event) instanceof Claimed claimed) {
      return lease(event, claimed);
    }
    throw new AssertionError(event + " is not free");
  }

  EventLease lease(Event event, Claimed claimed) {
    return new EventLease(new PendingEvent(event), claimed, System.nanoTime(), registry.lease());
  }

  Optional<SettleAnswer> settle(EventLease lease, AttemptResult result) {
    return Optional.ofNullable(
        registry.settle(List.of(new SettleRequest(lease, result))).get(lease));
  }

  Optional<SettleAnswer> done(EventLease lease) {
    return settle(lease, AttemptResult.DONE);
  }

  Optional<SettleAnswer> fail(EventLease lease, Duration delay) {
    return settle(lease, AttemptResult.failed(delay, "broken"));
  }

  /** Claims events and settles them as done. */
  void handle(Event... events) {
    for (Event event : events) {
      done(granted(event));
    }
  }
}
