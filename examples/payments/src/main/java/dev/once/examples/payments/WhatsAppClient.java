package dev.once.examples.payments;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Sends WhatsApp messages. */
final class WhatsAppClient {
  private static final String PATH = "/v23.0/106540352242922/messages";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ProviderClient provider;

  WhatsAppClient(ProviderClient provider) {
    this.provider = provider;
  }

  /**
   * Sends a receipt and returns the message's id. WhatsApp has no idempotency key, but repeats the
   * order's id in every status of the message, which reveals whether a message with a lost answer
   * was sent.
   */
  String sendReceipt(Order order) throws IOException {
    String body =
        JSON.writeValueAsString(
            Map.of(
                "messaging_product", "whatsapp",
                "to", order.phone().e164().substring(1),
                "type", "text",
                "text", Map.of("body", "Thank you! " + order.amount() + " for " + order.id()),
                "biz_opaque_callback_data", order.id()));
    HttpRequest request = provider.to(PATH).POST(BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = provider.send(request);
    if (answer.statusCode() != 200) {
      throw new IOException("WhatsApp answered " + answer.statusCode());
    }
    return JSON.readTree(answer.body()).path("messages").path(0).path("id").asString();
  }
}
