package dev.once.examples.payments;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * What happened at the provider, whatever it told anybody: how often each order was charged and got
 * a receipt, and how often each kind of trouble was made.
 */
final class Truth {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, Integer> charges = new ConcurrentHashMap<>();
  private final Map<String, Integer> receipts = new ConcurrentHashMap<>();
  private final Map<Trouble, Integer> troubles = new ConcurrentHashMap<>();

  /** What a provider may do to its clients. */
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

  void sentReceipt(String order) {
    receipts.merge(order, 1, Integer::sum);
  }

  void made(Trouble trouble) {
    troubles.merge(trouble, 1, Integer::sum);
  }

  Account account() {
    return new Account(new TreeMap<>(charges), new TreeMap<>(receipts), new TreeMap<>(troubles));
  }

  /** The truth at one moment, as it travels. */
  record Account(
      Map<String, Integer> charges, Map<String, Integer> receipts, Map<Trouble, Integer> troubles) {
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
