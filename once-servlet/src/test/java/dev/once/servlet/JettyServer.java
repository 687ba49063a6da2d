package dev.once.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/** Jetty, embedded. */
final class JettyServer implements ServletServer {
  private final Server jetty = new Server(0);

  JettyServer(Site site) throws Exception {
    ServletContextHandler root = context("/", site);
    add(root, Site.PAGE, site.errorPage());
    ErrorPageErrorHandler pages = new ErrorPageErrorHandler();
    pages.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, Site.PAGE);
    root.setErrorHandler(pages);
    jetty.setHandler(new ContextHandlerCollection(root, context(Site.BARE, site)));
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

  private static ServletContextHandler context(String path, Site site) {
    ServletContextHandler context = new ServletContextHandler(path);
    add(context, site.before());
    add(context, site.filter());
    add(context, Site.PARTLESS + "/*", site.servlet());
    add(context, "/", site.servlet())
        .getRegistration()
        .setMultipartConfig(
            new MultipartConfigElement(
                System.getProperty("java.io.tmpdir"), -1, MAX_PARTS_BYTES, 0));
    return context;
  }

  private static ServletHolder add(
      ServletContextHandler context, String path, HttpServlet servlet) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
    return holder;
  }

  private static void add(ServletContextHandler context, Filter filter) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", Site.DISPATCHES);
  }
}
