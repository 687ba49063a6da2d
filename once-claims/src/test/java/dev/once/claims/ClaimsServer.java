package dev.once.claims;

import dev.once.Terms;
import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import dev.once.spi.RecordStore;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A server with the claims API, on a free port. It knows its callers by tokens. */
final class ClaimsServer implements AutoCloseable {
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "Bearer acme-1", new Caller("acme", "worker-1"),
          "Bearer acme-2", new Caller("acme", "worker-2"),
          "Bearer globex-1", new Caller("globex", "worker-1"));

  private final CallerResolver callers =
      request -> {
        String token = Objects.requireNonNullElse(request.getHeader("Authorization"), "");
        return Optional.ofNullable(CALLERS.get(token));
      };

  private final Server server;

  ClaimsServer(RecordStore store) throws Exception {
    this(store, Terms.DEFAULT.maxPayloadBytes());
  }

  ClaimsServer(RecordStore store, int maxPayloadBytes) throws Exception {
    this.server = new Server(0);
    ServletContextHandler context = new ServletContextHandler("/");
    // snippet: servlet
    ClaimsServlet claims =
        ClaimsServlet.builder(store, callers).maxPayloadBytes(maxPayloadBytes).build();
    context.addServlet(new ServletHolder(claims), "/once/v1/*");
    // end
    server.setHandler(context);
    server.start();
  }

  URI uri() {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    return URI.create("http://127.0.0.1:" + port + "/once/v1");
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
  }
}
