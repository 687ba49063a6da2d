package dev.once.webhooks;

import java.util.List;
import java.util.Optional;

/**
 * The endpoints of all tenants. Every call names a tenant: an endpoint of another tenant is not
 * found. Thread-safe.
 */
public interface WebhookEndpoints {
  int MAX_REASON_CHARS = 300;

  /**
   * Adds an endpoint, or changes one that has the same id: the next attempt of every message uses
   * the new settings. An endpoint that is equal is not changed, so that every node may call this at
   * every start. An endpoint that is disabled stays so.
   *
   * @throws IllegalArgumentException if its URL may not be called
   * @throws IllegalStateException if the tenant has {@link WebhookEndpoint#MAX_PER_TENANT}
   */
  void put(WebhookEndpoint endpoint);

  Optional<EndpointView> find(String tenant, String id);

  /** Returns the endpoints of {@code tenant}, in the order of their ids. */
  List<EndpointView> list(String tenant);

  /**
   * Stops calling an endpoint. Its messages wait, and more can be sent to it. Returns false if it
   * is disabled already, or does not exist.
   */
  boolean disable(String tenant, String id, String reason);

  /**
   * Calls a disabled endpoint again, for all that waits, in order. Returns false if it is not
   * disabled, or does not exist.
   *
   * @param actor the operator, for the audit trail of jobs
   */
  boolean enable(String tenant, String id, String actor);

  /**
   * Removes an endpoint. Messages that it has not received yet are dropped when they are due, each
   * with an event; dead letters stay. Returns whether there was one.
   */
  boolean remove(String tenant, String id);
}
