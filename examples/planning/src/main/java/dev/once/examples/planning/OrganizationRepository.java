package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class OrganizationRepository {
  private final JdbcClient jdbc;

  OrganizationRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Organization insert(String tenant, String name) {
    return jdbc.sql(
            """
            INSERT INTO organization (tenant, id, name) VALUES (:tenant, :id, :name)
            RETURNING *
            """)
        .param("tenant", tenant)
        .param("id", UUID.randomUUID())
        .param("name", name)
        .query(OrganizationRepository::organization)
        .single();
  }

  Optional<Organization> find(String tenant, UUID id) {
    return jdbc.sql("SELECT * FROM organization WHERE tenant = :tenant AND id = :id")
        .param("tenant", tenant)
        .param("id", id)
        .query(OrganizationRepository::organization)
        .optional();
  }

  private static Organization organization(ResultSet row, int number) throws SQLException {
    return new Organization(Rows.uuid(row, "id"), row.getString("name"), row.getLong("version"));
  }
}
