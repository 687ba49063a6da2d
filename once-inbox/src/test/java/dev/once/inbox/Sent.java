package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Deliveries as providers send them, and the results of checking them. */
final class Sent {
  static final Instant NOW = Instant.ofEpochSecond(1_614_265_330);

  private Sent() {}

  static Delivery post(String body, String... headers) {
    return post(body.getBytes(UTF_8), headers);
  }

  /**
   * Returns a delivery with these headers, as alternating names and values; JSON unless they say
   * otherwise.
   */
  static Delivery post(byte[] body, String... headers) {
    Map<String, String> all = new HashMap<>(Map.of("Content-Type", "application/json"));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return new Delivery("POST", List.of(), Map.of(), Map.copyOf(all), body);
  }

  static Delivery put(String body, String... path) {
    Delivery post = post(body);
    return new Delivery("PUT", List.of(path), Map.of(), post.headers(), post.body());
  }

  static Delivery get(Map<String, String> query) {
    return new Delivery("GET", List.of(), query, Map.of(), new byte[0]);
  }

  static DeliveryCheck read(Provider provider, Delivery delivery) {
    return read(provider, delivery, NOW);
  }

  static DeliveryCheck read(Provider provider, Delivery delivery, Instant now) {
    return provider.read(delivery, Clock.fixed(now, ZoneOffset.UTC));
  }

  static List<Item> items(Provider provider, Delivery delivery) {
    DeliveryCheck deliveryCheck = read(provider, delivery);
    if (deliveryCheck instanceof DeliveryCheck.Genuine genuine) {
      return genuine.items();
    }
    throw new AssertionError("expected items, got " + deliveryCheck);
  }

  static Item item(Provider provider, Delivery delivery) {
    List<Item> items = items(provider, delivery);
    if (items.size() == 1) {
      return items.get(0);
    }
    throw new AssertionError("expected one item, got " + items);
  }

  static WebhookResponse answer(Provider provider, Delivery delivery) {
    DeliveryCheck deliveryCheck = read(provider, delivery);
    if (deliveryCheck instanceof DeliveryCheck.Answered answered) {
      return answered.webhookResponse();
    }
    throw new AssertionError("expected an answer, got " + deliveryCheck);
  }

  /** Returns the status and the code of a refusal, such as {@code 400 webhook.malformed}. */
  static String refusal(Provider provider, Delivery delivery) {
    WebhookResponse webhookResponse = answer(provider, delivery);
    String code = webhookResponse.body().replaceFirst(".*\"code\":\"([^\"]+)\".*", "$1");
    return webhookResponse.status() + " " + code;
  }

  static String text(Item item) {
    return new String(item.data(), UTF_8);
  }
}
