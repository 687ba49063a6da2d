package dev.once.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Compiled statements of a connection. A statement that failed may be in the middle of its work,
 * and one that is open can keep a rollback from working: both are closed and compiled again. Used
 * by one thread at a time.
 */
final class StatementCache {
  private static final int MAX_STATEMENTS = 64;

  private final Connection connection;
  private final Map<String, PreparedStatement> statements =
      new LinkedHashMap<>(MAX_STATEMENTS, 0.75f, true);

  StatementCache(Connection connection) {
    this.connection = connection;
  }

  PreparedStatement get(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    if (known != null) {
      return known;
    }
    if (statements.size() >= MAX_STATEMENTS) {
      close(statements.keySet().iterator().next()); // It was not used for the longest time.
    }
    PreparedStatement compiled = connection.prepareStatement(sql);
    statements.put(sql, compiled);
    return compiled;
  }

  /** Returns the statements that were used. */
  Set<String> known() {
    return Set.copyOf(statements.keySet());
  }

  void close(String sql) {
    PreparedStatement statement = statements.remove(sql);
    if (statement != null) {
      try {
        statement.close();
      } catch (SQLException e) {
        // SQLite repeats the failure of the statement's last execution, which was reported.
      }
    }
  }

  void closeAll() {
    known().forEach(this::close);
  }
}
