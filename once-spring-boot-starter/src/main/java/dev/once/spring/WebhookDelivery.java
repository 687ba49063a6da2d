package dev.once.spring;

import dev.once.Once;
import dev.once.jobs.Workers;
import dev.once.webhooks.WebhookSender;
import java.util.stream.Stream;

/** Adds the handler that posts webhooks to the workers. */
record WebhookDelivery(WebhookSender sender, Once once) implements JobHandlerSource {
  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public Stream<String> queues() {
    return Stream.of(WebhookSender.QUEUE);
  }

  @Override
  public void addTo(Workers.Builder workers) {
    sender.deliver(workers, once);
  }
}
