package dev.once.examples.planning;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is still to be done because of writes.
 *
 * <p>Nobody takes the rows out yet: the job runner comes with once-jobs. Rows with the same key ask
 * for the same work, and one run may serve all that are waiting. A finished run serves no row that
 * was written after it began, so a runner remembers the row's id and not the key alone.
 */
@Repository
class OutboxRepository {
  private final JdbcClient jdbc;
  private final JsonMapper json;

  OutboxRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  void insert(Call call, Entry entry, Effect effect) {
    jdbc.sql(
            """
            INSERT INTO outbox
              (tenant, topic, resource_id, key, payload, request_id, correlation_id)
            VALUES
              (:tenant, :topic, :resource, :key, CAST(:payload AS jsonb), :request, :correlation)
            """)
        .param("tenant", call.tenant())
        .param("topic", effect.topic())
        .param("resource", effect.resourceId())
        .param("key", effect.key(call.tenant()))
        .param("payload", payloadOf(entry))
        .param("request", call.correlation().requestId())
        .param("correlation", call.correlation().correlationId())
        .update();
  }

  /** Names what changed and nothing of its content, which the runner reads when it gets there. */
  private String payloadOf(Entry entry) {
    return json.writeValueAsString(
        Map.of(
            "action", entry.action(),
            "resource_type", entry.kind(),
            "resource_id", entry.id(),
            "revision", entry.revision()));
  }
}
