package dev.once.webhooks;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Adds an endpoint, or changes what differs. An equal one is not changed, unless another key seals
 * targets now: sealed bytes always differ, so fingerprints are compared. Another target has not
 * failed yet.
 */
final class PutEndpointStatement {
  /** Calls for one tenant follow each other, so that each counts what the one before has added. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(once_lock(?, 'webhook_endpoint', ''))";

  private static final String SQL =
      """
      WITH found AS (
        SELECT count(*) < %d OR coalesce(bool_or(e.id = ?), false) AS has_room
        FROM once_webhook_endpoint e WHERE e.tenant = ?),
      put AS (
        INSERT INTO once_webhook_endpoint AS e (
          tenant, id, types, ordered, target, sealed_by, fingerprint)
        SELECT ?, ?, ?, ?, ?, ?, ? FROM found f WHERE f.has_room
        ON CONFLICT (tenant, id) DO UPDATE SET
          types = excluded.types, ordered = excluded.ordered, target = excluded.target,
          sealed_by = excluded.sealed_by, fingerprint = excluded.fingerprint,
          version = e.version + 1,
          failing_since =
            CASE WHEN e.fingerprint = excluded.fingerprint THEN e.failing_since END,
          last_failure = CASE WHEN e.fingerprint = excluded.fingerprint THEN e.last_failure END
        WHERE (e.types, e.ordered, e.sealed_by, e.fingerprint) IS DISTINCT FROM (
          excluded.types, excluded.ordered, excluded.sealed_by, excluded.fingerprint))
      SELECT f.has_room FROM found f
      """
          .formatted(WebhookEndpoint.MAX_PER_TENANT);

  private PutEndpointStatement() {}

  /**
   * Returns false, and changes nothing, if the tenant has too many endpoints for a new one. The
   * connection has to be in a transaction.
   */
  static boolean execute(
      Connection connection, WebhookEndpoint endpoint, JobPayload target, String fingerprint)
      throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      new Parameters(lock).text(endpoint.tenant());
      lock.execute();
    }
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(endpoint.id())
          .text(endpoint.tenant())
          .text(endpoint.tenant())
          .text(endpoint.id())
          .texts(endpoint.sortedTypes(), it -> it)
          .flag(endpoint.isOrdered())
          .bytes(target.bytes())
          .text(target.sealedBy())
          .text(fingerprint);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean("has_room");
      }
    }
  }
}
