package dev.once.examples.planning;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Simulates a provider of messages with a table of accepted messages. Like a good provider, it
 * takes a key for every message and sends each key once.
 */
@Repository
class NotificationTable implements Notifications {
  private final JdbcClient jdbc;

  NotificationTable(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void send(Notification notification) {
    jdbc.sql(
            """
            INSERT INTO sent_notification AS sent
              (tenant, key, fence, collaborator_id, mission_id, request_id, correlation_id)
            VALUES (:tenant, :key, :fence, :collaborator, :mission, :request, :correlation)
            ON CONFLICT (tenant, key) DO UPDATE SET fence = excluded.fence
            WHERE sent.fence < excluded.fence
            """)
        .param("tenant", notification.tenant())
        .param("key", notification.key())
        .param("fence", notification.fence())
        .param("collaborator", notification.collaboratorId())
        .param("mission", notification.missionId())
        .param("request", notification.correlation().requestId())
        .param("correlation", notification.correlation().correlationId())
        .update();
  }
}
