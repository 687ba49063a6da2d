package dev.once.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tenants that metrics distinguish. Each value of a tag is a time series that is kept for good,
 * so their number is limited; further tenants are counted together.
 */
final class TenantTags {
  static final int MAX_TENANTS = 1000;
  static final String OTHER = "other";

  private final Set<String> tenants = ConcurrentHashMap.newKeySet();

  String tag(String tenant) {
    return tenants.contains(tenant) || add(tenant) ? tenant : OTHER;
  }

  private synchronized boolean add(String tenant) {
    if (tenants.size() < MAX_TENANTS) {
      tenants.add(tenant);
    }
    return tenants.contains(tenant);
  }
}
