package dev.once.inbox.servlet;

class WebhookServletOnJettyTest extends WebhookServletContract {
  @Override
  WebhookServer start(WebhookServlet servlet) throws Exception {
    return new JettyServer(servlet);
  }
}
