package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class MissionRepository {
  private final JdbcClient jdbc;

  MissionRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Mission insert(String tenant, UUID projectId, NewMission mission) {
    return jdbc.sql(
            """
            INSERT INTO mission (tenant, id, project_id, title, starts_at, ends_at)
            VALUES (:tenant, :id, :project, :title, :starts, :ends)
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", UUID.randomUUID())
        .param("project", projectId)
        .param("title", mission.title())
        .param("starts", mission.startsAt().atOffset(ZoneOffset.UTC))
        .param("ends", mission.endsAt().atOffset(ZoneOffset.UTC))
        .query(MissionRepository::mission)
        .single();
  }

  Optional<Mission> find(String tenant, UUID id) {
    return jdbc.sql("SELECT * FROM mission WHERE tenant = :tenant AND id = :id")
        .param("tenant", tenant)
        .param("id", id)
        .query(MissionRepository::mission)
        .optional();
  }

  /** Returns whether {@code mission} has the current version. */
  boolean isCurrent(String tenant, Mission mission) {
    return jdbc.sql(
            """
            SELECT count(*) FROM mission
            WHERE tenant = :tenant AND id = :id AND version = :version
            """)
        .param("tenant", tenant)
        .param("id", mission.id())
        .param("version", mission.version())
        .query(Integer.class)
        .single()
        .equals(1);
  }

  /**
   * Reads and locks missions until the transaction ends. Rows are locked in the order of their ids,
   * so that two transactions cannot deadlock.
   */
  List<Mission> findForUpdate(String tenant, UUID... ids) {
    return jdbc.sql(
            """
            SELECT * FROM mission WHERE tenant = :tenant AND id IN (:ids)
            ORDER BY id
            FOR UPDATE
            """)
        .param("tenant", tenant)
        .param("ids", List.of(ids))
        .query(MissionRepository::mission)
        .list();
  }

  /** Returns the missions, the oldest first. */
  Page<Mission> list(String tenant, UUID projectId, Paging paging) {
    Cursor after = paging.afterOr(Cursor.FIRST);
    return Page.of(
        jdbc.sql(
                """
                SELECT * FROM mission
                WHERE tenant = :tenant AND project_id = :project
                  AND (created_at, id) > (:after_at, :after_id)
                ORDER BY created_at, id
                LIMIT :rows
                """)
            .param("tenant", tenant)
            .param("project", projectId)
            .param("after_at", after.sqlTime())
            .param("after_id", after.id())
            .param("rows", paging.rows())
            .query(Rows.listed(MissionRepository::mission, "created_at"))
            .list(),
        paging);
  }

  /** Writes {@code mission} over the revision it was made from; empty if that is not current. */
  Optional<Mission> update(String tenant, Mission mission) {
    return jdbc.sql(
            """
            UPDATE mission
            SET title = :title, starts_at = :starts, ends_at = :ends, state = :state,
                version = version + 1
            WHERE tenant = :tenant AND id = :id AND version = :version
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", mission.id())
        .param("version", mission.version())
        .param("title", mission.title())
        .param("starts", mission.startsAt().atOffset(ZoneOffset.UTC))
        .param("ends", mission.endsAt().atOffset(ZoneOffset.UTC))
        .param("state", mission.state().word())
        .query(MissionRepository::mission)
        .optional();
  }

  /** Deletes the revision that was read; returns false if it is not current. */
  boolean delete(String tenant, Mission mission) {
    int rows =
        jdbc.sql("DELETE FROM mission WHERE tenant = :tenant AND id = :id AND version = :version")
            .param("tenant", tenant)
            .param("id", mission.id())
            .param("version", mission.version())
            .update();
    return rows == 1;
  }

  private static Mission mission(ResultSet row, int number) throws SQLException {
    return new Mission(
        Rows.uuid(row, "id"),
        Rows.uuid(row, "project_id"),
        row.getString("title"),
        Rows.instant(row, "starts_at"),
        Rows.instant(row, "ends_at"),
        MissionState.of(row.getString("state")),
        row.getLong("version"));
  }
}
