package dev.once.gateway;

import dev.once.http.Caller;
import jakarta.servlet.ServletRequest;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** The caller of a request, as the gateway has established it. */
final class Callers {
  private static final String ATTRIBUTE = Callers.class.getName();

  private Callers() {}

  /** Servlets see the attributes of the server's request. */
  static Optional<Caller> of(ServletRequest request) {
    return Optional.ofNullable((Caller) request.getAttribute(ATTRIBUTE));
  }

  static Optional<Caller> of(Request request) {
    return Optional.ofNullable((Caller) request.getAttribute(ATTRIBUTE));
  }

  static void attach(Request request, Caller caller) {
    request.setAttribute(ATTRIBUTE, caller);
  }
}
