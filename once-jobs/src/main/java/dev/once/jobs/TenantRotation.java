package dev.once.jobs;

import java.util.List;
import java.util.TreeSet;

/** Whose turn it was last when jobs are claimed from tenant to tenant. */
final class TenantRotation {
  private TenantRotation() {}

  /** The last tenant of {@code jobs} on a round that began after {@code after}. */
  static String last(String after, List<ClaimedJob> jobs) {
    TreeSet<String> tenants = new TreeSet<>();
    jobs.forEach(job -> tenants.add(job.key().tenant()));
    if (tenants.size() <= 1) {
      // Somebody alone comes first as well as last; beginning with the first saves a round.
      return tenants.isEmpty() || tenants.contains(after) ? "" : tenants.first();
    }
    String before = tenants.floor(after);
    return before == null ? tenants.last() : before;
  }
}
