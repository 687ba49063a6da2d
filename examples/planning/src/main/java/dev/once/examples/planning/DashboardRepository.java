package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Stores the last counts of each project. */
@Repository
class DashboardRepository {
  private final JdbcClient jdbc;

  DashboardRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Returns the counts; empty if there is no such project. A project without counts has zeros, as
   * of its creation.
   */
  Optional<Dashboard> find(String tenant, UUID projectId) {
    return jdbc.sql(
            """
            SELECT p.id, coalesce(d.as_of, p.created_at) AS as_of, coalesce(d.planned, 0) AS planned,
                   coalesce(d.locked, 0) AS locked, coalesce(d.archived, 0) AS archived,
                   coalesce(d.collaborators, 0) AS collaborators,
                   coalesce(d.assignments, 0) AS assignments
            FROM project p LEFT JOIN dashboard d ON d.tenant = p.tenant AND d.project_id = p.id
            WHERE p.tenant = :tenant AND p.id = :id
            """)
        .param("tenant", tenant)
        .param("id", projectId)
        .query(DashboardRepository::dashboard)
        .optional();
  }

  /**
   * Counts, and stores the numbers. A transaction locks the dashboard's row until it ends, and
   * counts only after it has the lock: a later writer has seen more, so no old count overwrites a
   * newer one.
   */
  void refresh(String tenant, UUID projectId) {
    lock(tenant, projectId);
    jdbc.sql(
            """
            UPDATE dashboard SET
              as_of = statement_timestamp(), planned = m.planned, locked = m.locked,
              archived = m.archived, collaborators = c.collaborators, assignments = a.assignments
            FROM
              (SELECT count(*) FILTER (WHERE state = 'planned') AS planned,
                      count(*) FILTER (WHERE state = 'locked') AS locked,
                      count(*) FILTER (WHERE state = 'archived') AS archived
               FROM mission WHERE tenant = :tenant AND project_id = :id) m,
              (SELECT count(*) AS collaborators
               FROM collaborator WHERE tenant = :tenant AND project_id = :id) c,
              (SELECT count(*) AS assignments
               FROM mission JOIN assignment
                 ON assignment.tenant = mission.tenant AND assignment.mission_id = mission.id
               WHERE mission.tenant = :tenant AND mission.project_id = :id) a
            WHERE dashboard.tenant = :tenant AND dashboard.project_id = :id
            """)
        .param("tenant", tenant)
        .param("id", projectId)
        .update();
  }

  private void lock(String tenant, UUID projectId) {
    jdbc.sql(
            """
            INSERT INTO dashboard (tenant, project_id) VALUES (:tenant, :id)
            ON CONFLICT (tenant, project_id) DO NOTHING
            """)
        .param("tenant", tenant)
        .param("id", projectId)
        .update();
    jdbc.sql("SELECT 1 FROM dashboard WHERE tenant = :tenant AND project_id = :id FOR UPDATE")
        .param("tenant", tenant)
        .param("id", projectId)
        .query(Integer.class)
        .single();
  }

  private static Dashboard dashboard(ResultSet row, int number) throws SQLException {
    return new Dashboard(
        Rows.uuid(row, "id"),
        Rows.instant(row, "as_of"),
        new Dashboard.Missions(
            row.getLong("planned"), row.getLong("locked"), row.getLong("archived")),
        row.getLong("collaborators"),
        row.getLong("assignments"));
  }
}
