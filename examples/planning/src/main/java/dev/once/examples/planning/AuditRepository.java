package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The audit trail: rows are added and read, never changed. */
@Repository
class AuditRepository {
  private final JdbcClient jdbc;

  AuditRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  UUID insert(Call call, Entry entry, String payloadHash, List<String> jobs) {
    UUID event = UUID.randomUUID();
    jdbc.sql(
            """
            INSERT INTO audit_event
              (tenant, id, actor, action, endpoint, resource_type, resource_id,
               prior_revision, new_revision, payload_hash, request_id, correlation_id, jobs)
            VALUES
              (:tenant, :event, :actor, :action, :endpoint, :type, :id,
               :prior, :current, :hash, :request, :correlation, :jobs)
            """)
        .param("tenant", call.tenant())
        .param("event", event)
        .param("actor", call.actor())
        .param("action", entry.action())
        .param("endpoint", call.endpoint())
        .param("type", entry.kind())
        .param("id", entry.id())
        .param("prior", entry.prior())
        .param("current", entry.current())
        .param("hash", payloadHash)
        .param("request", call.correlation().requestId())
        .param("correlation", call.correlation().correlationId())
        .param("jobs", jobs.toArray(String[]::new))
        .update();
    return event;
  }

  /** Returns the events, the newest first. */
  Page<AuditEvent> list(String tenant, AuditedResource resource, Paging paging) {
    Cursor before = paging.afterOr(Cursor.LAST);
    return Page.of(
        jdbc.sql(
                """
                SELECT * FROM audit_event
                WHERE tenant = :tenant AND resource_id = :id
                  AND resource_type = coalesce(:type, resource_type)
                  AND (at, id) < (:before_at, :before_id)
                ORDER BY at DESC, id DESC
                LIMIT :rows
                """)
            .param("tenant", tenant)
            .param("id", resource.id())
            .param("type", resource.type())
            .param("before_at", before.sqlTime())
            .param("before_id", before.id())
            .param("rows", paging.rows())
            .query(Rows.listed(AuditRepository::event, "at"))
            .list(),
        paging);
  }

  private static AuditEvent event(ResultSet row, int number) throws SQLException {
    return new AuditEvent(
        Rows.uuid(row, "id"),
        Rows.instant(row, "at"),
        row.getString("actor"),
        row.getString("action"),
        row.getString("endpoint"),
        row.getString("resource_type"),
        Rows.uuid(row, "resource_id"),
        row.getString("prior_revision"),
        row.getString("new_revision"),
        row.getString("payload_hash"),
        row.getString("request_id"),
        row.getString("correlation_id"),
        List.of((String[]) row.getArray("jobs").getArray()));
  }
}
