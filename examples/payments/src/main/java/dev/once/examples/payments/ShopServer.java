package dev.once.examples.payments;

import dev.once.Once;
import dev.once.http.Caller;
import dev.once.http.Route;
import dev.once.http.Routes;
import dev.once.inbox.Inbox;
import dev.once.inbox.servlet.WebhookServlet;
import dev.once.jobs.Jobs;
import dev.once.servlet.OnceFilter;
import dev.once.servlet.RouteResolver;
import dev.once.workflow.Workflows;
import jakarta.servlet.DispatcherType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;

/** The shop's HTTP server: accepts orders and the providers' webhooks. */
final class ShopServer implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.1";

  private final Server jetty;

  ShopServer(
      Shop.Settings settings,
      ShopDatabase database,
      Once once,
      Jobs jobs,
      Workflows workflows,
      Inbox inbox) {
    jetty = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port()));
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(new OrdersServlet(workflows)), "/orders");
    context.addServlet(new ServletHolder(new WebhookServlet(inbox)), "/webhooks/*");
    FilterHolder filter = new FilterHolder(filter(database, once, jobs));
    filter.setAsyncSupported(true);
    context.addFilter(
        filter,
        "/orders",
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    jetty.setHandler(context);
    LifeCycle.start(jetty);
  }

  /** Returns the address for callbacks of the payment provider. */
  static URI callbacks(Shop.Settings settings) {
    return URI.create(
        "http://%s:%d/webhooks/momo/%s".formatted(ADDRESS, settings.port(), settings.token()));
  }

  URI url() {
    return jetty.getURI();
  }

  private static OnceFilter filter(ShopDatabase database, Once once, Jobs jobs) {
    return OnceFilter.builder(once, database.store())
        .callers(request -> Optional.of(new Caller(Order.TENANT, "customer")))
        .routes(
            RouteResolver.of(
                Routes.none().with("POST", Route.of("/orders", Route.Mode.TRANSACTIONAL))))
        .transactions(new ShopTransactions(database, once, () -> jobs.wake(OrderWorkflow.QUEUE)))
        .build();
  }

  @Override
  public void close() {
    LifeCycle.stop(jetty);
  }
}
