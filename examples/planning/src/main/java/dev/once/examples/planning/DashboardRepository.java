package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Counts on demand, in one statement and so as of one moment. */
@Repository
class DashboardRepository {
  private final JdbcClient jdbc;

  DashboardRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Empty if there is no such project. */
  Optional<Dashboard> count(String tenant, UUID projectId) {
    return jdbc.sql(
            """
            SELECT p.id, now() AS as_of, m.planned, m.locked, m.archived, c.collaborators,
                   a.assignments
            FROM project p
            CROSS JOIN LATERAL (
              SELECT count(*) FILTER (WHERE state = 'planned') AS planned,
                     count(*) FILTER (WHERE state = 'locked') AS locked,
                     count(*) FILTER (WHERE state = 'archived') AS archived
              FROM mission WHERE tenant = p.tenant AND project_id = p.id) m
            CROSS JOIN LATERAL (
              SELECT count(*) AS collaborators
              FROM collaborator WHERE tenant = p.tenant AND project_id = p.id) c
            CROSS JOIN LATERAL (
              SELECT count(*) AS assignments
              FROM mission JOIN assignment
                ON assignment.tenant = mission.tenant AND assignment.mission_id = mission.id
              WHERE mission.tenant = p.tenant AND mission.project_id = p.id) a
            WHERE p.tenant = :tenant AND p.id = :id
            """)
        .param("tenant", tenant)
        .param("id", projectId)
        .query(DashboardRepository::dashboard)
        .optional();
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
