package dev.once.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Requests payments from MTN MoMo, and reads their status. */
final class MomoClient {
  private static final String PATH = "/collection/v1_0/requesttopay";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ProviderClient provider;
  private final URI callbacks;

  /**
   * Creates a client.
   *
   * @param callbacks the address for the provider's callbacks; the reference is appended
   */
  MomoClient(ProviderClient provider, URI callbacks) {
    this.provider = provider;
    this.callbacks = callbacks;
  }

  /** Requests a payment. If the reference is known, an earlier attempt was accepted. */
  void requestToPay(UUID reference, Order order) throws IOException {
    HttpRequest request =
        provider
            .to(PATH)
            .header("X-Reference-Id", reference.toString())
            .header("X-Target-Environment", "sandbox")
            .header("X-Callback-Url", callbacks + "/" + reference)
            .POST(BodyPublishers.ofString(body(order)))
            .build();
    HttpResponse<String> answer = provider.send(request);
    if (answer.statusCode() != 202 && answer.statusCode() != 409) {
      throw new IOException("the provider answered " + answer.statusCode());
    }
  }

  /** Returns the status of a payment; empty if the provider does not know it, or not yet. */
  Optional<Settlement> status(UUID reference) throws IOException {
    return answer(reference).map(Settlement::ofAnswer);
  }

  /** Returns the provider's answer about a payment unparsed; empty if it does not know it. */
  Optional<String> answer(UUID reference) throws IOException {
    HttpResponse<String> answer = provider.send(provider.to(PATH + "/" + reference).build());
    if (answer.statusCode() == 404) {
      return Optional.empty();
    }
    if (answer.statusCode() != 200) {
      throw new IOException("the provider answered " + answer.statusCode());
    }
    return Optional.of(answer.body());
  }

  private static String body(Order order) {
    String msisdn = order.phone().e164().substring(1);
    return JSON.writeValueAsString(
        Map.of(
            "amount", order.amount().text(),
            "currency", order.amount().currency(),
            "externalId", order.id(),
            "payer", Map.of("partyIdType", "MSISDN", "partyId", msisdn),
            "payerMessage", "Your order " + order.id(),
            "payeeNote", order.id()));
  }
}
