package dev.once.inbox;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A secret in the path, for providers that do not sign. A request without it gets the same response
 * as a request for an unknown provider.
 */
final class PathToken {
  // Short tokens can be guessed; other characters would be escaped in the path.
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~-]{16,128}");

  private final String token;

  PathToken(String token) {
    if (!FORM.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "path token must have 16 to 128 letters, digits and ._~-, got "
              + token.length()
              + " characters");
    }
    this.token = token;
  }

  /** Returns the delivery without the token in its path, or refuses it. */
  Delivery check(Delivery delivery) {
    List<String> path = delivery.path();
    if (path.isEmpty() || !Secrets.areEqual(token, path.get(0))) {
      throw new DeliveryRejectedException(RejectionReason.UNKNOWN_PROVIDER);
    }
    return delivery.below();
  }
}
