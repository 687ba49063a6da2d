package dev.once.gateway;

import dev.once.http.Caller;
import jakarta.servlet.ServletRequest;
import java.util.Optional;

/** The caller of a request, as the gateway has established it. */
final class Callers {
  private static final String ATTRIBUTE = Callers.class.getName();

  private Callers() {}

  static Optional<Caller> of(ServletRequest request) {
    return Optional.ofNullable((Caller) request.getAttribute(ATTRIBUTE));
  }

  static void attach(ServletRequest request, Caller caller) {
    request.setAttribute(ATTRIBUTE, caller);
  }
}
