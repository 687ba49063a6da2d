package dev.once.examples.payments;

import dev.once.payments.Amount;
import dev.once.payments.PaymentRequest;
import dev.once.payments.Phone;

/** An item, its price and the phone that pays. */
record Order(String id, String item, Amount amount, Phone phone) {
  /** The shop is one organization; a service for several would use theirs. */
  static final String TENANT = "shop";

  static final String PROVIDER = "momo";

  PaymentRequest payment() {
    return new PaymentRequest(TENANT, PROVIDER, id, amount, phone);
  }
}
