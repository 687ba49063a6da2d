package dev.once.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends messages to phones. It has no idempotency key: a repeated message is a second message. It
 * reports the progress of a message in statuses later.
 */
final class WhatsAppEndpoint implements HttpHandler {
  static final String PATH = "/v23.0/";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Chaos chaos;
  private final Truth truth;
  private final WhatsAppStatuses statuses;
  private final Map<String, Integer> tries = new ConcurrentHashMap<>();

  WhatsAppEndpoint(Chaos chaos, Truth truth, WhatsAppStatuses statuses) {
    this.chaos = chaos;
    this.truth = truth;
    this.statuses = statuses;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String sender = Exchanges.path(exchange).get(1);
    JsonNode message = JSON.readTree(Exchanges.body(exchange));
    String order = message.path("biz_opaque_callback_data").asString();
    String id = order + " " + tries.merge(order, 1, Integer::sum);
    if (chaos.happens("lost message", id, 0.02)) {
      truth.made(Truth.Trouble.LOST_REQUEST);
      Exchanges.drop(exchange);
      return;
    }
    String wamid = "wamid." + UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8));
    String to = message.path("to").asString();
    truth.sentReceipt(order);
    statuses.follow(new WhatsAppStatuses.Message(sender, wamid, to, order));
    if (chaos.happens("lost wamid", id, 0.06)) {
      truth.made(Truth.Trouble.LOST_REPLY);
      Exchanges.drop(exchange);
      return;
    }
    Exchanges.answer(
        exchange,
        200,
        JSON.writeValueAsString(
            Map.of(
                "messaging_product",
                "whatsapp",
                "contacts",
                List.of(Map.of("input", to, "wa_id", to)),
                "messages",
                List.of(Map.of("id", wamid)))));
  }
}
