package dev.once.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads which versions of the tables a database has. */
record SchemaVersions(Connection connection, String eventsSchema) {
  /** Returns 0 if the tables of the module are not there. */
  int of(SchemaModule module) throws SQLException {
    String table = module.versionTable(eventsSchema);
    return exists(table) ? newest(table) : 0;
  }

  private boolean exists(String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private int newest(String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT max(version) FROM " + table)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
