package dev.once.examples.planning;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads the column types of PostgreSQL that JDBC has no getter for. */
final class Rows {
  private Rows() {}

  static UUID uuid(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Reads an item with its position in a list that is ordered by {@code time} and id. */
  static <T> RowMapper<Page.Row<T>> listed(RowMapper<T> items, String time) {
    return (row, number) ->
        new Page.Row<>(items.mapRow(row, number), new Cursor(instant(row, time), uuid(row, "id")));
  }
}
