package dev.once.examples.payments;

import dev.once.Codec;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The status of a payment, in the provider's terms.
 *
 * @param transaction the provider's id of the transaction, empty if no money moved
 */
record Settlement(String status, String transaction) {
  /** The form that is stored with the payment. */
  static final Codec<@Nullable Settlement> CODEC =
      Codec.of(
          it -> (it.status + " " + it.transaction).getBytes(StandardCharsets.UTF_8),
          bytes -> parse(new String(bytes, StandardCharsets.UTF_8)));

  private static final JsonMapper JSON = JsonMapper.shared();

  static Settlement ofAnswer(String json) {
    JsonNode answer = JSON.readTree(json);
    return new Settlement(
        answer.path("status").asString(""), answer.path("financialTransactionId").asString(""));
  }

  boolean isPaid() {
    return status.equals("SUCCESSFUL");
  }

  boolean isFinal() {
    return isPaid() || status.equals("FAILED");
  }

  private static Settlement parse(String text) {
    int space = text.indexOf(' ');
    return new Settlement(text.substring(0, space), text.substring(space + 1));
  }
}
