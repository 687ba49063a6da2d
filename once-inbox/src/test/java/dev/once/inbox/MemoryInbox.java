package dev.once.inbox;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stores items in memory, to test what HTTP delivers. */
final class MemoryInbox {
  private final Map<String, Provider> providers =
      Map.of(
          "whatsapp",
          WhatsApp.PROVIDER,
          "github",
          Provider.gitHub("acme", Signed.SECRET),
          "momo",
          Provider.mtnMomo("acme").withPathToken(WebhookServletContract.TOKEN));

  final List<Item> items = new CopyOnWriteArrayList<>();
  final List<Integer> refused = new CopyOnWriteArrayList<>();
  volatile Optional<RuntimeException> failure = Optional.empty();

  WebhookServlet servlet() {
    return new WebhookServlet(
        this::provider,
        this::receive,
        (provider, webhookResponse) -> refused.add(webhookResponse.status()));
  }

  private Optional<Provider> provider(String name) {
    return Optional.ofNullable(providers.get(name));
  }

  private WebhookResponse receive(String provider, Delivery delivery) {
    failure.ifPresent(
        it -> {
          throw it;
        });
    DeliveryCheck deliveryCheck =
        provider(provider).orElseThrow().read(delivery, Clock.fixed(Sent.NOW, ZoneOffset.UTC));
    if (deliveryCheck instanceof DeliveryCheck.Answered answered) {
      return answered.webhookResponse();
    }
    items.addAll(((DeliveryCheck.Genuine) deliveryCheck).items());
    return WebhookResponse.ACCEPTED;
  }
}
