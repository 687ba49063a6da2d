package dev.once.inbox;

class WebhookServletOnTomcatTest extends WebhookServletContract {
  @Override
  WebhookServer start(WebhookServlet servlet) throws Exception {
    return new TomcatServer(servlet);
  }
}
