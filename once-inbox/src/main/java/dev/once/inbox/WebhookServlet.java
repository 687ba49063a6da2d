package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Receives deliveries over HTTP, at {@code /webhooks/{provider}} if mapped to {@code /webhooks/*}.
 * It answers 200 only after all items of a delivery are recorded.
 */
public final class WebhookServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Long enough for a database to recover, and short for a provider that gives up after hours. */
  private static final String RETRY_AFTER_SECONDS = "5";

  private final transient Function<String, Optional<Provider>> providers;
  private final transient BiFunction<String, Delivery, WebhookResponse> receive;
  private final transient BiConsumer<String, WebhookResponse> refused;

  public WebhookServlet(Inbox inbox) {
    this(inbox::provider, inbox::receive, inbox::publishRefused);
  }

  /** Creates a servlet that reports to {@code refused} what it refuses before the body is read. */
  WebhookServlet(
      Function<String, Optional<Provider>> providers,
      BiFunction<String, Delivery, WebhookResponse> receive,
      BiConsumer<String, WebhookResponse> refused) {
    this.providers = providers;
    this.receive = receive;
    this.refused = refused;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    send(answer(new WebhookRequest(request)), response);
  }

  private WebhookResponse answer(WebhookRequest request) throws IOException {
    try {
      String name = request.provider();
      Optional<Provider> provider = providers.apply(name);
      return provider.isPresent()
          ? answer(name, provider.get(), request)
          : refuse(Inbox.UNKNOWN, RejectionReason.UNKNOWN_PROVIDER.webhookResponse());
    } catch (RuntimeException e) {
      log("a webhook was not accepted", withoutMessage(e));
      return RejectionReason.UNAVAILABLE.webhookResponse(
          Map.of("Retry-After", RETRY_AFTER_SECONDS));
    }
  }

  private WebhookResponse answer(String name, Provider provider, WebhookRequest request)
      throws IOException {
    Delivery head = request.head();
    Optional<WebhookResponse> early = provider.refuse(head, request.announcedBytes());
    // One byte more than allowed is enough to detect that there are too many.
    return early.isPresent()
        ? refuse(name, early.get())
        : receive.apply(name, head.withBody(request.body(provider.maxBytes() + 1)));
  }

  private WebhookResponse refuse(String provider, WebhookResponse webhookResponse) {
    refused.accept(provider, webhookResponse);
    return webhookResponse;
  }

  /**
   * Removes the message: databases and parsers quote the data that they refuse, and logs must not
   * contain it.
   */
  private static Throwable withoutMessage(RuntimeException e) {
    Throwable shown = new IllegalStateException(e.getClass().getName());
    shown.setStackTrace(e.getStackTrace());
    return shown;
  }

  private static void send(WebhookResponse webhookResponse, HttpServletResponse response)
      throws IOException {
    byte[] body = webhookResponse.body().getBytes(UTF_8);
    response.setStatus(webhookResponse.status());
    webhookResponse.headers().forEach(response::setHeader);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
