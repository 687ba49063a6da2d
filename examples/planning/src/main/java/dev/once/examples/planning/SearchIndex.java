package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The search index. The newest version wins, even if an older one is written later; a deleted
 * resource stays deleted, as ids are never reused.
 */
@Repository
class SearchIndex {
  private final JdbcClient jdbc;

  SearchIndex(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Reads the current state of a resource; empty if it was deleted. */
  Optional<SearchEntry> read(String tenant, UUID id) {
    return jdbc.sql(
            """
            SELECT 'project' AS type, id, name, version, created_at FROM project
            WHERE tenant = :tenant AND id = :id
            UNION ALL
            SELECT 'mission', id, title, version, created_at FROM mission
            WHERE tenant = :tenant AND id = :id
            """)
        .param("tenant", tenant)
        .param("id", id)
        .query(SearchIndex::entry)
        .optional();
  }

  void put(String tenant, SearchEntry entry) {
    jdbc.sql(
            """
            INSERT INTO search_entry AS known (tenant, id, type, name, version, created_at)
            VALUES (:tenant, :id, :type, :name, :version, :created)
            ON CONFLICT (tenant, id) DO UPDATE
            SET name = excluded.name, version = excluded.version
            WHERE known.version < excluded.version AND NOT known.gone
            """)
        .param("tenant", tenant)
        .param("id", entry.id())
        .param("type", entry.type())
        .param("name", entry.name())
        .param("version", entry.version())
        .param("created", entry.createdAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void remove(String tenant, UUID id) {
    jdbc.sql(
            """
            INSERT INTO search_entry (tenant, id, type, name, version, created_at, gone)
            VALUES (:tenant, :id, '', '', 0, now(), true)
            ON CONFLICT (tenant, id) DO UPDATE SET name = '', gone = true
            """)
        .param("tenant", tenant)
        .param("id", id)
        .update();
  }

  private static SearchEntry entry(ResultSet row, int number) throws SQLException {
    return new SearchEntry(
        row.getString("type"),
        Rows.uuid(row, "id"),
        row.getString("name"),
        row.getLong("version"),
        Rows.instant(row, "created_at"));
  }
}
