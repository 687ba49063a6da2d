package dev.once.webhooks;

import dev.once.internal.JobPayload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * An endpoint as its row has it.
 *
 * @param version what is reported about other settings does not count
 */
record EndpointRow(
    String tenant,
    String id,
    Set<String> types,
    boolean isOrdered,
    JobPayload target,
    long version,
    Optional<Instant> failingSince,
    Optional<String> lastFailure,
    Optional<Instant> disabledAt,
    Optional<String> disabledReason) {
  static final String COLUMNS =
      """
      e.tenant, e.id, e.types, e.ordered, e.target, e.sealed_by, e.version, e.failing_since,
      e.last_failure, e.disabled_at, e.disabled_reason
      """;

  static EndpointRow read(ResultSet row) throws SQLException {
    return new EndpointRow(
        row.getString("tenant"),
        row.getString("id"),
        Set.copyOf(Arrays.asList((String[]) row.getArray("types").getArray())),
        row.getBoolean("ordered"),
        new JobPayload(row.getBytes("target"), row.getString("sealed_by")),
        row.getLong("version"),
        Optional.ofNullable(row.getTimestamp("failing_since")).map(Timestamp::toInstant),
        Optional.ofNullable(row.getString("last_failure")),
        Optional.ofNullable(row.getTimestamp("disabled_at")).map(Timestamp::toInstant),
        Optional.ofNullable(row.getString("disabled_reason")));
  }
}
