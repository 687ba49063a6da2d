package dev.once.examples.payments;

/** The customer did not pay, and cannot pay any more. */
final class UnpaidOrderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnpaidOrderException(String order, Settlement settlement) {
    super("the payment of order " + order + " is " + settlement.status());
  }
}
