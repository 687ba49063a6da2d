package dev.once.examples.payments;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * What really happened at the provider: how often each order was charged and got a receipt, which
 * ones were not paid, and how often each kind of fault occurred.
 */
final class Truth {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, Integer> charges = new ConcurrentHashMap<>();
  private final Map<String, Integer> receipts = new ConcurrentHashMap<>();
  private final Set<String> unpaid = ConcurrentHashMap.newKeySet();
  private final Map<Trouble, Integer> troubles = new ConcurrentHashMap<>();

  /** The faults of a provider. */
  enum Trouble {
    LOST_REQUEST,
    LOST_REPLY,
    LATE_REPLY,
    NOT_VISIBLE_YET,
    REFERENCE_REUSED,
    DUPLICATE_CALLBACK,
    MISSING_CALLBACK,
    CALLBACK_OUT_OF_ORDER,
    FORGED_CALLBACK,
    DUPLICATE_STATUS
  }

  void charged(String order) {
    charges.merge(order, 1, Integer::sum);
  }

  void notPaid(String order) {
    unpaid.add(order);
  }

  void sentReceipt(String order) {
    receipts.merge(order, 1, Integer::sum);
  }

  void made(Trouble trouble) {
    troubles.merge(trouble, 1, Integer::sum);
  }

  Account account() {
    return new Account(
        new TreeMap<>(charges),
        new TreeMap<>(receipts),
        new TreeSet<>(unpaid),
        new TreeMap<>(troubles));
  }

  /** The counts at one moment, as they are sent. */
  record Account(
      Map<String, Integer> charges,
      Map<String, Integer> receipts,
      Set<String> unpaid,
      Map<Trouble, Integer> troubles) {
    String json() {
      return JSON.writeValueAsString(this);
    }

    static Account parse(String json) {
      return JSON.readValue(json, Account.class);
    }

    int count(Trouble trouble) {
      return troubles.getOrDefault(trouble, 0);
    }
  }
}
