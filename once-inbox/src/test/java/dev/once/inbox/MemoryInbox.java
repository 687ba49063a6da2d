package dev.once.inbox;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps items in memory, to see what comes through HTTP. */
final class MemoryInbox {
  private final Map<String, Provider> providers =
      Map.of(
          "whatsapp",
          WhatsApp.PROVIDER,
          "github",
          Provider.gitHub("acme", Signed.SECRET),
          "mtn-momo",
          Provider.mtnMomo("acme").withPathToken(WebhookServletContract.TOKEN));

  final List<Item> items = new CopyOnWriteArrayList<>();
  volatile Optional<RuntimeException> failure = Optional.empty();

  WebhookServlet servlet() {
    return new WebhookServlet(this::provider, this::receive);
  }

  private Optional<Provider> provider(String name) {
    return Optional.ofNullable(providers.get(name));
  }

  private Receipt receive(String provider, Delivery delivery) {
    failure.ifPresent(
        it -> {
          throw it;
        });
    Reading reading =
        provider(provider).orElseThrow().read(delivery, Clock.fixed(Sent.NOW, ZoneOffset.UTC));
    if (reading instanceof Reading.Answered answered) {
      return answered.receipt();
    }
    items.addAll(((Reading.Genuine) reading).items());
    return Receipt.ACCEPTED;
  }
}
