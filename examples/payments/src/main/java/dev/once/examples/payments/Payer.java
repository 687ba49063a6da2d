package dev.once.examples.payments;

/**
 * What customers do with a request to pay on their phone. Their number decides, as in the sandboxes
 * of real providers.
 */
enum Payer {
  PAYS,
  DECLINES,
  /** The provider ends the request after a while. */
  IGNORES;

  private static final int ONE_IN = 20;

  static Payer of(String phone) {
    return switch (Integer.parseInt(phone.substring(phone.length() - 2)) % ONE_IN) {
      case 7 -> DECLINES;
      case 19 -> IGNORES;
      default -> PAYS;
    };
  }
}
