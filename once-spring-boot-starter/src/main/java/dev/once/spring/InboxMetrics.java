package dev.once.spring;

import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxListener;
import dev.once.inbox.Provider;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts the events of the inbox by provider. */
final class InboxMetrics implements InboxListener {
  private final MeterRegistry registry;

  /** Registers all counters of each provider: an alert on an increase needs a zero before it. */
  InboxMetrics(MeterRegistry registry, List<Provider> providers) {
    this.registry = registry;
    for (Provider provider : providers) {
      for (Count count : Count.values()) {
        count.of(provider.name(), registry);
      }
    }
  }

  @Override
  public void on(InboxEvent event) {
    Count.of(event).of(event.provider(), registry).increment();
  }

  private enum Count {
    ACCEPTED("webhook_accepted", "Items that were accepted"),
    DUPLICATE("webhook_duplicate", "Items that came again"),
    CONFLICT("webhook_conflict", "Items that came again with another content"),
    TOO_LARGE("webhook_too_large", "Items that are too large to be processed"),
    TOO_OLD("webhook_too_old", "Items that their provider would not send any more"),
    REFUSED("webhook_refused", "Deliveries that were refused"),
    OVERTAKEN("webhook_overtaken", "Items that a later one about the same object overtook"),
    REFUTED("webhook_refuted", "Items that their provider does not know of");

    private final String name;
    private final String description;

    Count(String name, String description) {
      this.name = name;
      this.description = description;
    }

    static Count of(InboxEvent event) {
      if (event instanceof InboxEvent.Accepted) {
        return ACCEPTED;
      } else if (event instanceof InboxEvent.Duplicate) {
        return DUPLICATE;
      } else if (event instanceof InboxEvent.Conflict) {
        return CONFLICT;
      } else if (event instanceof InboxEvent.TooLarge) {
        return TOO_LARGE;
      } else if (event instanceof InboxEvent.TooOld) {
        return TOO_OLD;
      } else if (event instanceof InboxEvent.Refused) {
        return REFUSED;
      } else if (event instanceof InboxEvent.Overtaken) {
        return OVERTAKEN;
      } else if (event instanceof InboxEvent.Refuted) {
        return REFUTED;
      }
      throw new AssertionError("unhandled event " + event.getClass());
    }

    Counter of(String provider, MeterRegistry registry) {
      return Counter.builder(name)
          .description(description)
          .tag("provider", provider)
          .register(registry);
    }
  }
}
