package dev.once.inbox.servlet;

/** A container that serves a servlet at {@code /webhooks/*} on a free port. */
interface WebhookServer {
  int port();

  void stop() throws Exception;
}
