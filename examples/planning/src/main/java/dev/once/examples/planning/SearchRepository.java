package dev.once.examples.planning;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Searches the index of one tenant, which may lag behind. */
@Repository
class SearchRepository {
  private final JdbcClient jdbc;

  SearchRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns the matches, the oldest first; the search is case-insensitive. */
  Page<SearchHit> find(String tenant, String words, Paging paging) {
    Cursor after = paging.afterOr(Cursor.FIRST);
    return Page.of(
        jdbc.sql(
                """
                SELECT type, id, name, created_at FROM search_entry
                WHERE tenant = :tenant AND name ILIKE :pattern AND NOT gone
                  AND (created_at, id) > (:after_at, :after_id)
                ORDER BY created_at, id
                LIMIT :rows
                """)
            .param("tenant", tenant)
            .param("pattern", "%" + literal(words) + "%")
            .param("after_at", after.sqlTime())
            .param("after_id", after.id())
            .param("rows", paging.rows())
            .query(
                Rows.listed(
                    (row, number) ->
                        new SearchHit(
                            row.getString("type"), Rows.uuid(row, "id"), row.getString("name")),
                    "created_at"))
            .list(),
        paging);
  }

  /** Escapes wildcards: the input is literal text, not a pattern. */
  private static String literal(String words) {
    return words.replaceAll("([\\\\%_])", "\\\\$1");
  }
}
