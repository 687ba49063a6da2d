package dev.once.examples.payments;

import dev.once.examples.payments.Truth.Trouble;
import java.util.Locale;
import java.util.Map;

/** The result of a run: the shop's tables beside the provider's own counts. */
record Outcome(int orders, Progress.Counts shop, Truth.Account truth, int kills, double seconds) {

  /**
   * Returns whether every order was reserved once, every paid one was charged, booked and shipped
   * once, and the stock of every other one was released. Receipts do not count.
   */
  boolean isRight() {
    return shop.placed() == orders
        && shop.ended() == orders
        && shop.reserved() == orders
        && shop.reservations() == orders
        && isPaidForOnce()
        && shop.released() == truth.unpaid().size()
        && shop.sold() == paid();
  }

  private boolean isPaidForOnce() {
    return truth.charges().size() == paid()
        && twice(truth.charges()) == 0
        && shop.booked() == paid()
        && shop.bookings() == paid()
        && shop.shipped() == paid()
        && shop.shipments() == paid();
  }

  private int paid() {
    return orders - truth.unpaid().size();
  }

  String text() {
    StringBuilder table = new StringBuilder("\n");
    row(table, "orders", shop.placed());
    row(table, "charges at the provider", sum(truth.charges()));
    row(table, "  orders charged twice", twice(truth.charges()));
    row(table, "  paid orders not charged", paid() - truth.charges().size());
    row(table, "payments booked", shop.bookings());
    row(table, "orders shipped", shop.shipments());
    row(table, "orders not paid", truth.unpaid().size());
    row(table, "reservations of stock", shop.reservations());
    row(table, "  released", shop.released());
    row(table, "missing in the stock", shop.sold());
    row(table, "receipts sent", sum(truth.receipts()));
    row(table, "  orders with two receipts", twice(truth.receipts()));
    table.append("what went wrong meanwhile\n");
    for (Trouble trouble : Trouble.values()) {
      row(table, "  " + words(trouble), truth.count(trouble));
    }
    row(table, "  shop killed", kills);
    table.append(String.format(Locale.ROOT, "%-30s %8.1f%n%n", "seconds", seconds));
    table.append(
        isRight()
            ? "every order was reserved once, and charged and shipped once or released"
            : "NOT every order was reserved once, and charged and shipped once or released");
    return table.toString();
  }

  private static void row(StringBuilder table, String what, int count) {
    table.append(String.format(Locale.ROOT, "%-30s %6d%n", what, count));
  }

  private static String words(Trouble trouble) {
    return trouble.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static int twice(Map<String, Integer> counts) {
    return (int) counts.values().stream().filter(count -> count > 1).count();
  }
}
