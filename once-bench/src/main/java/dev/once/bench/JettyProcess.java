package dev.once.bench;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A small service on Jetty; or Jetty's reverse proxy alone, in front of such a service. */
final class JettyProcess {
  private static final long HOUR_MILLIS = 3_600_000;

  private JettyProcess() {}

  /** Gets the port to listen on, and as a proxy that of the service. */
  public static void main(String[] arguments) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.parseInt(arguments[0]));
    connector.setIdleTimeout(HOUR_MILLIS); // Callers pause while others are measured.
    server.addConnector(connector);
    server.setHandler(arguments.length == 1 ? new SmallService() : proxy(arguments[1]));
    server.start();
  }

  private static Handler proxy(String port) {
    String service = "http://127.0.0.1:" + port;
    return new ProxyHandler.Reverse(
        request -> HttpURI.build(service + request.getHttpURI().getPathQuery()));
  }

  /** Answers everything alike, and counts it by path: {@code /count/orders} is how many orders. */
  private static final class SmallService extends Handler.Abstract.NonBlocking {
    private static final String COUNT = "/count";

    private final ConcurrentHashMap<String, LongAdder> requests = new ConcurrentHashMap<>();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      String answer = answer(request.getHttpURI().getPath());
      Content.Source.consumeAll(
          request,
          Callback.from(
              () -> Content.Sink.write(response, true, answer, callback), callback::failed));
      return true;
    }

    private String answer(String path) {
      if (path.startsWith(COUNT)) {
        return counter(path.substring(COUNT.length())).toString();
      }
      counter(path).increment();
      return Sample.TEXT;
    }

    private LongAdder counter(String path) {
      return requests.computeIfAbsent(path, it -> new LongAdder());
    }
  }
}
