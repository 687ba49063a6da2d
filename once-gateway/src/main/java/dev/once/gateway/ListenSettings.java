package dev.once.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;

/**
 * Where clients connect.
 *
 * @param host a name or an address of this machine
 * @param port the port; 0 takes a free one
 * @param idleTimeout how long a connection may be silent
 * @param requestTimeout how long a client may take to send the first head on a connection
 * @param bodyGrace how long a body may be slow
 * @param minBodyRate how many bytes of it must arrive in each second after that, on average
 * @param maxHeaderBytes the largest head of a request
 * @param maxConnections how many connections are open at a time
 * @param drainTime how long running requests may take when the gateway stops
 * @param tls the certificate; without it, connections are not encrypted
 */
record ListenSettings(
    String host,
    int port,
    Duration idleTimeout,
    Duration requestTimeout,
    Duration bodyGrace,
    int minBodyRate,
    int maxHeaderBytes,
    int maxConnections,
    Duration drainTime,
    Optional<TlsSettings> tls) {
  static final ListenSettings DEFAULT =
      new ListenSettings(
          "127.0.0.1",
          8080,
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          1024,
          16 * 1024,
          10_000,
          Duration.ofSeconds(20),
          Optional.empty());

  boolean isLoopback() {
    return isLoopback(host);
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new SettingsException(
          "host " + host + " is not known here: name an address of this machine", e);
    }
  }

  ListenSettings withPort(int port) {
    return new ListenSettings(
        host,
        port,
        idleTimeout,
        requestTimeout,
        bodyGrace,
        minBodyRate,
        maxHeaderBytes,
        maxConnections,
        drainTime,
        tls);
  }
}
