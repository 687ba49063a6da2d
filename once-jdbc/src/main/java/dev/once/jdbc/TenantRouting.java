package dev.once.jdbc;

import java.util.Collection;

/**
 * Leads a {@code DataSource} that finds a database by what the calling thread is bound to, such as
 * Spring's {@code AbstractRoutingDataSource}, to the database of a tenant. The store calls from
 * threads of its own, which are bound to nothing: a heartbeat, a purge and a completion of another
 * thread have to find the database that the claim found.
 */
public interface TenantRouting {
  /**
   * Runs {@code call} on this thread, bound to {@code tenant}: for example sets a {@code
   * ThreadLocal}, runs the call, and removes it.
   */
  void within(String tenant, Runnable call);

  /** A tenant of each database: a purge of every tenant visits them all. */
  Collection<String> tenants();
}
