package dev.once.examples.payments;

import dev.once.inbox.Amount;
import dev.once.inbox.PaymentRequest;
import dev.once.inbox.Phone;
import dev.once.steps.RunId;

/** What a customer wants, and who pays for it. */
record Order(String id, String item, Amount amount, Phone phone) {
  /** The shop is one organization; a service for many would have theirs here. */
  static final String TENANT = "shop";

  static final String PROVIDER = "momo";

  /** All steps of an order belong to one run. */
  RunId run() {
    return new RunId(TENANT, "order-" + id);
  }

  /** What a step works on: the same order with anything else in it would be another step. */
  String input() {
    return "{\"order\":\"%s\",\"item\":\"%s\",\"amount\":\"%s\"}".formatted(id, item, amount);
  }

  PaymentRequest payment() {
    return new PaymentRequest(TENANT, PROVIDER, id, amount, phone);
  }
}
