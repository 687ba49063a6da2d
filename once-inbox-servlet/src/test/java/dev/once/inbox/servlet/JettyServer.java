package dev.once.inbox.servlet;

import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty, embedded. */
final class JettyServer implements WebhookServer {
  private final Server jetty = new Server(0);

  JettyServer(WebhookServlet servlet) throws Exception {
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(servlet), "/webhooks/*");
    jetty.setHandler(context);
    jetty.start();
  }

  @Override
  public int port() {
    return ((ServerConnector) jetty.getConnectors()[0]).getLocalPort();
  }

  @Override
  public void stop() throws Exception {
    jetty.stop();
  }
}
