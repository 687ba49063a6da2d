package dev.once.jdbc;

import java.util.Collection;

/**
 * Binds a thread to a tenant, for a {@code DataSource} that chooses the database by thread-bound
 * state, such as Spring's {@code AbstractRoutingDataSource}. The store calls from its own threads,
 * which have no such state: a heartbeat, a purge and a completion on another thread must reach the
 * same database as the claim.
 */
public interface TenantRouting {
  /**
   * Runs {@code call} on this thread, bound to {@code tenant}: for example sets a {@code
   * ThreadLocal}, runs the call, and removes it.
   */
  void within(String tenant, Runnable call);

  /** Returns one tenant of each database: a purge of every tenant calls each database. */
  Collection<String> tenants();
}
