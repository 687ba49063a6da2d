package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class ProjectRepository {
  private final JdbcClient jdbc;

  ProjectRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Project insert(String tenant, String name) {
    return jdbc.sql(
            "INSERT INTO project (tenant, id, name) VALUES (:tenant, :id, :name) RETURNING *")
        .param("tenant", tenant)
        .param("id", UUID.randomUUID())
        .param("name", name)
        .query(ProjectRepository::project)
        .single();
  }

  Optional<Project> find(String tenant, UUID id) {
    return select("SELECT * FROM project WHERE tenant = :tenant AND id = :id", tenant, id);
  }

  /** Reads a project and locks it against changes until the transaction ends. */
  Optional<Project> findToAddTo(String tenant, UUID id) {
    return select(
        "SELECT * FROM project WHERE tenant = :tenant AND id = :id FOR SHARE", tenant, id);
  }

  /** Returns the projects, the oldest first. */
  Page<Project> list(String tenant, Paging paging) {
    Cursor after = paging.afterOr(Cursor.FIRST);
    return Page.of(
        jdbc.sql(
                """
                SELECT * FROM project
                WHERE tenant = :tenant AND (created_at, id) > (:after_at, :after_id)
                ORDER BY created_at, id
                LIMIT :rows
                """)
            .param("tenant", tenant)
            .param("after_at", after.sqlTime())
            .param("after_id", after.id())
            .param("rows", paging.rows())
            .query(Rows.listed(ProjectRepository::project, "created_at"))
            .list(),
        paging);
  }

  /** Writes {@code project} over the revision it was made from; empty if that is not current. */
  Optional<Project> update(String tenant, Project project) {
    return jdbc.sql(
            """
            UPDATE project SET name = :name, state = :state, version = version + 1
            WHERE tenant = :tenant AND id = :id AND version = :version
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", project.id())
        .param("version", project.version())
        .param("name", project.name())
        .param("state", project.state().word())
        .query(ProjectRepository::project)
        .optional();
  }

  private Optional<Project> select(String sql, String tenant, UUID id) {
    return jdbc.sql(sql)
        .param("tenant", tenant)
        .param("id", id)
        .query(ProjectRepository::project)
        .optional();
  }

  private static Project project(ResultSet row, int number) throws SQLException {
    return new Project(
        Rows.uuid(row, "id"),
        row.getString("name"),
        ProjectState.of(row.getString("state")),
        row.getLong("version"));
  }
}
