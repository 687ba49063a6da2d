package dev.once.gateway;

import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.EndPoint.SslSessionData;
import org.jspecify.annotations.Nullable;

/** Whether bytes of a request may be on their way to its service. */
final class Sending {
  /** The cipher suite before the handshake: nothing that a request consists of can be written. */
  private static final String NO_CIPHER = "SSL_NULL_WITH_NULL_NULL";

  private final AtomicBoolean mayHaveBegun = new AtomicBoolean();
  private volatile @Nullable Connection connection;

  /** Notes that a connection has taken the request; another one may have before it. */
  void begin(Request request) {
    if (connection != null) {
      mayHaveBegun.set(true);
    }
    connection = request.getConnection();
    if (connection == null) {
      mayHaveBegun.set(true);
    }
  }

  /** Returns whether the service may have got something of a request that failed. */
  boolean isPossible(Throwable failure) {
    Connection taken = connection;
    return mayHaveBegun.get() || (taken != null && !hasFailedHandshake(taken, failure));
  }

  private static boolean hasFailedHandshake(Connection connection, Throwable failure) {
    SslSessionData session = connection.getSslSessionData();
    return session != null && NO_CIPHER.equals(session.cipherSuite()) && isHandshake(failure);
  }

  private static boolean isHandshake(Throwable failure) {
    for (Throwable it = failure; it != null; it = it.getCause()) {
      if (it instanceof SSLHandshakeException) {
        return true;
      }
    }
    return false;
  }
}
