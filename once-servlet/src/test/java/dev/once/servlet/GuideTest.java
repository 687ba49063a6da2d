package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.http.Routes;
import dev.once.spi.RecordStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** The code of docs/guides/http.md. */
class GuideTest {
  @Test
  void executesOnceAndReplays() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    server.addConnector(connector);
    RecordStore store = new InMemoryRecordStore();
    try (Once once = Once.over(store)) {
      server.setHandler(context(filter(once, store)));
      server.start();
      URI url = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/shops/7/orders");

      HttpResponse<String> first = send(url);
      HttpResponse<String> again = send(url);

      assertThat(first.body()).isEqualTo("order 1");
      assertThat(again.body()).isEqualTo("order 1");
      assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    } finally {
      server.stop();
    }
  }

  private static OnceFilter filter(Once once, RecordStore store) {
    // snippet: filter
    OnceFilter filter =
        OnceFilter.builder(once, store)
            .contract(Contract.STRICT)
            .callers(request -> callerOf(request.getUserPrincipal()))
            .routes(
                RouteResolver.of(
                    Routes.none()
                        .with("POST", Route.of("/shops/{shop}/orders", Route.Mode.LEASED))))
            .build();
    // end
    return filter;
  }

  private static ServletContextHandler context(OnceFilter filter) {
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(new ServletHolder(new Orders()), "/*");
    // snippet: register
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(
        holder,
        "/*",
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    // end
    return context;
  }

  private static Optional<Caller> callerOf(Principal principal) {
    return Optional.of(new Caller("acme", principal == null ? "alice" : principal.getName()));
  }

  private static HttpResponse<String> send(URI url) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(url)
                .header("Idempotency-Key", "order-42")
                .POST(HttpRequest.BodyPublishers.ofString("two pens"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static final class Orders extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final AtomicInteger placed = new AtomicInteger();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().write("order " + placed.incrementAndGet());
    }
  }
}
