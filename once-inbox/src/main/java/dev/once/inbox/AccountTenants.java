package dev.once.inbox;

import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Map;

/**
 * Maps a provider's accounts to tenants.
 *
 * @param fixed the tenant of accounts that {@code byAccount} does not contain
 * @param byAccount tenants by the provider's names for their accounts
 */
record AccountTenants(String fixed, Map<String, String> byAccount) {
  AccountTenants {
    byAccount = Map.copyOf(byAccount);
    check(fixed);
    byAccount.values().forEach(AccountTenants::check);
  }

  String of(String account) {
    return byAccount.getOrDefault(account, fixed);
  }

  private static void check(String tenant) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
  }
}
