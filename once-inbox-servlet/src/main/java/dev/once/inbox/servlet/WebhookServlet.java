package dev.once.inbox.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.inbox.WebhookReceiver;
import dev.once.inbox.WebhookResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Receives deliveries over HTTP, at {@code /webhooks/{provider}} if mapped to {@code /webhooks/*}.
 * With an {@link dev.once.inbox.Inbox} it answers 200 only after all items of a delivery are
 * recorded.
 */
public final class WebhookServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient WebhookReceiver receiver;

  public WebhookServlet(WebhookReceiver receiver) {
    this.receiver = receiver;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    send(answer(new WebhookRequest(request)), response);
  }

  private WebhookResponse answer(WebhookRequest request) throws IOException {
    try {
      return receiver.receive(request.provider(), request.head(), request::body);
    } catch (RuntimeException e) {
      log("a webhook was not accepted", withoutMessage(e));
      return WebhookResponse.UNAVAILABLE;
    }
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
