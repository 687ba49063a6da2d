package dev.once.spring;

import dev.once.inbox.Inbox;
import dev.once.inbox.Provider;
import dev.once.jobs.Workers;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** Adds the application's webhook handlers to the workers. */
record InboxHandlers(ObjectProvider<Inbox> inbox, List<WebhookProcessing> processing)
    implements JobHandlerSource {
  @Override
  public boolean isEmpty() {
    return processing.isEmpty();
  }

  @Override
  public Stream<String> queues() {
    return processing.stream().map(it -> Inbox.queueOf(provider(it)));
  }

  @Override
  public void addTo(Workers.Builder workers) {
    for (WebhookProcessing it : processing) {
      try {
        inbox.getObject().process(workers, provider(it).name(), it.handler());
      } catch (IllegalArgumentException e) {
        throw misconfigured(it, String.valueOf(e.getMessage()));
      }
    }
  }

  private Provider provider(WebhookProcessing it) {
    Inbox inbox = this.inbox.getIfAvailable();
    if (inbox == null) {
      throw misconfigured(it, "there is no bean of type Provider");
    }
    return inbox
        .provider(it.provider())
        .orElseThrow(() -> misconfigured(it, "there is no Provider of that name"));
  }

  private static MisconfiguredException misconfigured(WebhookProcessing it, String why) {
    return new MisconfiguredException(
        "webhooks of " + it.provider() + " cannot be processed: " + why + ".",
        "Change the bean of type WebhookProcessing, or add one of type Provider for it.");
  }
}
