package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class CollaboratorRepository {
  private final JdbcClient jdbc;

  CollaboratorRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Collaborator insert(String tenant, UUID projectId, NewCollaborator collaborator) {
    return jdbc.sql(
            """
            INSERT INTO collaborator (tenant, id, project_id, name, phone)
            VALUES (:tenant, :id, :project, :name, :phone)
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", UUID.randomUUID())
        .param("project", projectId)
        .param("name", collaborator.name())
        .param("phone", collaborator.phone())
        .query(CollaboratorRepository::collaborator)
        .single();
  }

  Optional<Collaborator> find(String tenant, UUID id) {
    return select("SELECT * FROM collaborator WHERE tenant = :tenant AND id = :id", tenant, id);
  }

  /** Reads a collaborator and locks it, and so its assignments, until the transaction ends. */
  Optional<Collaborator> findForUpdate(String tenant, UUID id) {
    return select(
        "SELECT * FROM collaborator WHERE tenant = :tenant AND id = :id FOR UPDATE", tenant, id);
  }

  /** Locks all collaborators of a mission, and so their assignments, in the order of their ids. */
  void lockAssignedTo(String tenant, UUID missionId) {
    jdbc.sql(
            """
            SELECT id FROM collaborator
            WHERE tenant = :tenant AND id IN (
              SELECT collaborator_id FROM assignment
              WHERE tenant = :tenant AND mission_id = :mission)
            ORDER BY id
            FOR UPDATE
            """)
        .param("tenant", tenant)
        .param("mission", missionId)
        .query(UUID.class)
        .list();
  }

  private Optional<Collaborator> select(String sql, String tenant, UUID id) {
    return jdbc.sql(sql)
        .param("tenant", tenant)
        .param("id", id)
        .query(CollaboratorRepository::collaborator)
        .optional();
  }

  private static Collaborator collaborator(ResultSet row, int number) throws SQLException {
    return new Collaborator(
        Rows.uuid(row, "id"),
        Rows.uuid(row, "project_id"),
        row.getString("name"),
        row.getString("phone"));
  }
}
