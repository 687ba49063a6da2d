package dev.once.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The connectors of the gateway: HTTP/1.1 and HTTP/2, encrypted or not. */
final class Listeners {
  private Listeners() {}

  static ServerConnector ofClients(Server server, ListenSettings settings) {
    HttpConfiguration http = configuration(settings);
    ServerConnector connector =
        settings
            .tls()
            .map(it -> encrypted(server, http, it))
            .orElseGet(
                () ->
                    new ServerConnector(
                        server, new HttpConnectionFactory(http), new PriorKnowledge(http)));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(settings.idleTimeout().toMillis());
    connector.addBean(new SlowHeads(connector, settings.requestTimeout()));
    server.addBean(new NetworkConnectionLimit(settings.maxConnections(), connector));
    return connector;
  }

  static ServerConnector ofOperators(Server server, AdminSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    return connector;
  }

  /** Everything that two servers could understand differently is refused. */
  private static HttpConfiguration configuration(ListenSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setHttpCompliance(HttpCompliance.STRICT);
    http.setSendServerVersion(false);
    http.setSendDateHeader(false); // The service's own is passed on.
    http.setOutputAggregationSize(0); // A part of an answer does not wait for the next one.
    http.setRequestHeaderSize(settings.maxHeaderBytes());
    return http;
  }

  private static ServerConnector encrypted(
      Server server, HttpConfiguration http, TlsSettings settings) {
    http.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStorePath(settings.keyStore().toString());
    tls.setKeyStoreType("PKCS12");
    tls.setKeyStorePassword(settings.passwordFile().map(Listeners::firstLine).orElse(""));
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    HttpConnectionFactory http1 = new HttpConnectionFactory(http);
    alpn.setDefaultProtocol(http1.getProtocol());
    return new ServerConnector(
        server,
        new SslConnectionFactory(tls, alpn.getProtocol()),
        alpn,
        new HTTP2ServerConnectionFactory(http),
        http1);
  }

  private static String firstLine(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new SettingsException(file + " cannot be read: " + e, e);
    }
  }

  /**
   * HTTP/2 without TLS, for clients that know that they may use it. A request of HTTP/1.1 that asks
   * for an upgrade stays what it is: RFC 9113 has no such upgrade any more, and proxies have been
   * fooled by it.
   */
  private static final class PriorKnowledge extends HTTP2CServerConnectionFactory {
    PriorKnowledge(HttpConfiguration http) {
      super(http);
    }

    @Override
    public @Nullable Connection upgradeConnection(
        Connector connector,
        EndPoint endPoint,
        MetaData.Request request,
        HttpFields.Mutable answer) {
      boolean isPreface = request.getMethod().equals("PRI");
      return isPreface ? super.upgradeConnection(connector, endPoint, request, answer) : null;
    }
  }

  /** Closes connections on which no request arrives in time, a byte now and then or not. */
  private record SlowHeads(ServerConnector connector, Duration patience)
      implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
      var unused =
          connector
              .getScheduler()
              .schedule(() -> check(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void check(Connection connection) {
      if (connection.getMessagesIn() == 0) {
        connection.close();
      }
    }
  }
}
