package dev.once.spring;

import java.security.Principal;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Identifies the operator of an endpoint, and validates its input. */
final class Operators {
  private static final int MAX_REASON_CHARS = 500;

  private Operators() {}

  static String name(SecurityContext security) {
    Principal principal = security.getPrincipal();
    return principal == null ? "unknown" : principal.getName();
  }

  static void requireReason(String reason) {
    if (reason.isBlank() || reason.length() > MAX_REASON_CHARS) {
      throw invalid(
          "reason must have 1 to %d characters, got %d"
              .formatted(MAX_REASON_CHARS, reason.length()));
    }
  }

  static InvalidEndpointRequestException invalid(String message) {
    return new InvalidEndpointRequestException(message, message);
  }
}
