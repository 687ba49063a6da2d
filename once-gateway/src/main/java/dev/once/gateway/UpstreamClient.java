package dev.once.gateway;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Makes the client for requests to services. It passes on what it gets, and does nothing by itself:
 * no redirects, no logins, no cookies, no decompression. It does not repeat a request that a
 * connection has begun to write.
 */
final class UpstreamClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** Shorter than servers keep idle connections, so that few are lost as a request is sent. */
  private static final Duration POOLED_IDLE_TIME = Duration.ofSeconds(3);

  private static final int MAX_CONNECTIONS = 512;
  private static final int MAX_QUEUED = 1024;

  private UpstreamClient() {}

  static HttpClient on(Executor threads, SslContextFactory.Client tls) {
    ClientConnector connector = new ClientConnector();
    connector.setSslContextFactory(tls);
    HttpClient client = new HttpClient(new HttpClientTransportOverHTTP(connector));
    client.setName("once-upstream");
    client.setExecutor(threads);
    client.setConnectTimeout(CONNECT_TIMEOUT.toMillis());
    client.setIdleTimeout(POOLED_IDLE_TIME.toMillis());
    client.setMaxConnectionsPerDestination(MAX_CONNECTIONS);
    client.setMaxRequestsQueuedPerDestination(MAX_QUEUED);
    client.setUserAgentField(null);
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.addEventListener(
        new LifeCycle.Listener() {
          @Override
          public void lifeCycleStarted(LifeCycle started) {
            // The start has added what the client would do by itself.
            client.getContentDecoderFactories().clear();
            client.getProtocolHandlers().clear();
          }
        });
    return client;
  }
}
