package dev.once.inbox;

import java.io.IOException;

/**
 * Receives deliveries from the adapter of a web stack. The adapter passes each request and sends
 * the response as it is; all decisions are made here. Thread-safe.
 *
 * <p>If {@link #receive} throws a {@link RuntimeException}, the adapter sends {@link
 * WebhookResponse#UNAVAILABLE}. It does not log the exception's message, because databases and
 * parsers quote the data that they refuse.
 */
public interface WebhookReceiver {
  /**
   * Answers a delivery. The body is read at most once, and only if the head is acceptable: a
   * delivery to an unknown address, with another method or type, or with an announced size ({@code
   * Content-Length}) beyond the limit is refused before.
   *
   * @param provider the name in the address, such as {@code /webhooks/{provider}}
   * @param head the delivery with all its headers and without its body
   * @throws IOException if {@code body} throws it; nothing was stored then
   */
  WebhookResponse receive(String provider, Delivery head, BodyReader body) throws IOException;
}
