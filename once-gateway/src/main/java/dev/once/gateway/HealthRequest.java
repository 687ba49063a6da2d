package dev.once.gateway;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** Asks a gateway on this machine for its health, as a container's health check does. */
final class HealthRequest {
  private static final int CONNECT_MILLIS = 2000;

  /** Longer than the gateway waits for its store. */
  private static final int ANSWER_MILLIS = 15_000;

  private final URI address;

  private HealthRequest(URI address) {
    this.address = address;
  }

  static HealthRequest to(AdminSettings admin) {
    try {
      return new HealthRequest(
          new URI("http", null, reachable(admin.host()), admin.port(), "/once/health", null, null));
    } catch (URISyntaxException e) {
      throw new SettingsException("admin.host " + admin.host() + " cannot be asked", e);
    }
  }

  /** A listener on all addresses is asked by that of this machine alone. */
  private static String reachable(String host) {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress()
          ? InetAddress.getLoopbackAddress().getHostAddress()
          : host;
    } catch (UnknownHostException e) {
      throw new SettingsException("admin.host " + host + " is not known here", e);
    }
  }

  /**
   * Returns the status of the answer: 200 if writes are accepted.
   *
   * @throws IOException if there is none
   */
  int status() throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(ANSWER_MILLIS);
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
