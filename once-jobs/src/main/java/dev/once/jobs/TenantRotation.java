package dev.once.jobs;

import java.util.List;
import java.util.TreeSet;

/** Finds the tenant after which the next claim starts, in the rotation over the tenants. */
final class TenantRotation {
  private TenantRotation() {}

  /** Returns the last tenant of {@code jobs} in a rotation that started after {@code after}. */
  static String last(String after, List<ClaimedJob> jobs) {
    TreeSet<String> tenants = new TreeSet<>();
    jobs.forEach(job -> tenants.add(job.key().tenant()));
    if (tenants.size() <= 1) {
      // A single tenant is the first as well as the last; starting with the first saves a rotation.
      return tenants.isEmpty() || tenants.contains(after) ? "" : tenants.first();
    }
    String before = tenants.floor(after);
    return before == null ? tenants.last() : before;
  }
}
