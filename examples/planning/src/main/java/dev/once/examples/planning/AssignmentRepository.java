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
class AssignmentRepository {
  /** A client does not need more overlapping missions than this to resolve them. */
  private static final int MAX_OVERLAPPING = 20;

  private final JdbcClient jdbc;

  AssignmentRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Assignment insert(String tenant, UUID missionId, UUID collaboratorId) {
    return jdbc.sql(
            """
            INSERT INTO assignment (tenant, id, mission_id, collaborator_id)
            VALUES (:tenant, :id, :mission, :collaborator)
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", UUID.randomUUID())
        .param("mission", missionId)
        .param("collaborator", collaboratorId)
        .query(AssignmentRepository::assignment)
        .single();
  }

  Optional<Assignment> find(String tenant, UUID id) {
    return select("SELECT * FROM assignment WHERE tenant = :tenant AND id = :id", tenant, id);
  }

  /** Reads and locks an assignment until the transaction ends. */
  Optional<Assignment> findForUpdate(String tenant, UUID id) {
    return select(
        "SELECT * FROM assignment WHERE tenant = :tenant AND id = :id FOR UPDATE", tenant, id);
  }

  boolean exists(String tenant, UUID missionId, UUID collaboratorId) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT 1 FROM assignment
              WHERE tenant = :tenant AND mission_id = :mission
                AND collaborator_id = :collaborator)
            """)
        .param("tenant", tenant)
        .param("mission", missionId)
        .param("collaborator", collaboratorId)
        .query(Boolean.class)
        .single();
  }

  boolean existsFor(String tenant, UUID missionId) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT 1 FROM assignment WHERE tenant = :tenant AND mission_id = :mission)
            """)
        .param("tenant", tenant)
        .param("mission", missionId)
        .query(Boolean.class)
        .single();
  }

  /** Finds missions at the same time that share a collaborator with this one. */
  List<UUID> findOverlapping(String tenant, Mission mission) {
    return jdbc.sql(
            """
            SELECT DISTINCT other.id
            FROM assignment here
            JOIN assignment there
              ON there.tenant = here.tenant AND there.collaborator_id = here.collaborator_id
            JOIN mission other ON other.tenant = there.tenant AND other.id = there.mission_id
            WHERE here.tenant = :tenant AND here.mission_id = :mission
              AND other.id <> :mission AND other.state IN ('planned', 'locked')
              AND other.starts_at < :ends AND other.ends_at > :starts
            ORDER BY other.id
            LIMIT :rows
            """)
        .param("tenant", tenant)
        .param("mission", mission.id())
        .param("starts", mission.startsAt().atOffset(ZoneOffset.UTC))
        .param("ends", mission.endsAt().atOffset(ZoneOffset.UTC))
        .param("rows", MAX_OVERLAPPING)
        .query((row, number) -> Rows.uuid(row, "id"))
        .list();
  }

  /** Writes {@code assignment} over the revision it was made from; empty if that is not current. */
  Optional<Assignment> update(String tenant, Assignment assignment) {
    return jdbc.sql(
            """
            UPDATE assignment SET mission_id = :mission, version = version + 1
            WHERE tenant = :tenant AND id = :id AND version = :version
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", assignment.id())
        .param("version", assignment.version())
        .param("mission", assignment.missionId())
        .query(AssignmentRepository::assignment)
        .optional();
  }

  private Optional<Assignment> select(String sql, String tenant, UUID id) {
    return jdbc.sql(sql)
        .param("tenant", tenant)
        .param("id", id)
        .query(AssignmentRepository::assignment)
        .optional();
  }

  private static Assignment assignment(ResultSet row, int number) throws SQLException {
    return new Assignment(
        Rows.uuid(row, "id"),
        Rows.uuid(row, "mission_id"),
        Rows.uuid(row, "collaborator_id"),
        row.getLong("version"));
  }
}
