package dev.once.inbox.servlet;

class WebhookServletOnTomcatTest extends WebhookServletContract {
  @Override
  WebhookServer start(WebhookServlet servlet) throws Exception {
    return new TomcatServer(servlet);
  }
}
