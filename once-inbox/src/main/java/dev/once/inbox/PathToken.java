package dev.once.inbox;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A secret in the path, for providers that do not sign. Whoever does not know it sees no more than
 * where no provider is.
 */
final class PathToken {
  // Short ones can be found by trying; other characters would be escaped on their way here.
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

  /** The delivery below its token, or a refusal. */
  Delivery check(Delivery delivery) {
    List<String> path = delivery.path();
    if (path.isEmpty() || !Secrets.areEqual(token, path.get(0))) {
      throw new DeliveryRejectedException(RejectionReason.UNKNOWN_PROVIDER);
    }
    return delivery.below();
  }
}
