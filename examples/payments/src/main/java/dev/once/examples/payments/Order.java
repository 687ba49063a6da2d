package dev.once.examples.payments;

import dev.once.payments.Amount;
import dev.once.payments.PaymentRequest;
import dev.once.payments.Phone;
import dev.once.steps.RunId;

/** An item, its price and the phone that pays. */
record Order(String id, String item, Amount amount, Phone phone) {
  /** The shop is one organization; a service for several would use theirs. */
  static final String TENANT = "shop";

  static final String PROVIDER = "momo";

  /** Returns the run to which all steps of the order belong. */
  RunId run() {
    return new RunId(TENANT, "order-" + id);
  }

  /** Returns the input of every step: the same order with other contents would be another step. */
  String input() {
    return "{\"order\":\"%s\",\"item\":\"%s\",\"amount\":\"%s\"}".formatted(id, item, amount);
  }

  PaymentRequest payment() {
    return new PaymentRequest(TENANT, PROVIDER, id, amount, phone);
  }
}
