package dev.once.docs;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A payment provider that remembers its charges, and can lose its answers. */
final class Provider {
  private final Map<String, String> receipts = new ConcurrentHashMap<>();
  private boolean answersAreLost;

  String charge(String order, String amount) {
    receipts.merge(order, "receipt for " + amount, (old, more) -> old + " and " + more);
    if (answersAreLost) {
      throw new IllegalStateException("no answer from the provider");
    }
    return String.valueOf(receipts.get(order));
  }

  CompletionStage<String> chargeLater(String order, String amount) {
    return CompletableFuture.supplyAsync(() -> charge(order, amount));
  }

  Optional<String> findReceipt(String order) {
    return Optional.ofNullable(receipts.get(order));
  }

  void loseAnswers() {
    answersAreLost = true;
  }

  int charges() {
    return receipts.size();
  }

  /** The customer's bank refuses the charge. */
  static final class CardDeclined extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
