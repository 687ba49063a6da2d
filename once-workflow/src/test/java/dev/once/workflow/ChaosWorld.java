package dev.once.workflow;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The world outside the database, in which no effect can be undone: another database, reached
 * without a relay. For some effects it knows fences and refuses lower ones.
 */
record ChaosWorld(DataSource dataSource) {
  private static final String SCHEMA =
      """
      CREATE TABLE guard (name text PRIMARY KEY, fence bigint NOT NULL);
      CREATE TABLE effect (place bigserial, name text NOT NULL, fence bigint NOT NULL);
      CREATE INDEX ON effect (name);
      -- Whether the fence is the highest so far.
      CREATE FUNCTION register(p_name text, p_fence bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO guard AS g VALUES (p_name, p_fence)
        ON CONFLICT (name) DO UPDATE SET fence = excluded.fence WHERE g.fence <= excluded.fence;
        RETURN FOUND;
      END $$;
      CREATE FUNCTION apply(p_name text, p_fence bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT register(p_name, p_fence) THEN
          RETURN false;
        END IF;
        INSERT INTO effect (name, fence) VALUES (p_name, p_fence);
        RETURN true;
      END $$;
      -- Undoes what is not undone already; what has a lower fence cannot happen any more.
      CREATE FUNCTION undo(p_name text, p_fence bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT register(p_name, p_fence) THEN
          RETURN false;
        END IF;
        INSERT INTO effect (name, fence) SELECT p_name || '/undone', p_fence
        WHERE NOT EXISTS (SELECT 1 FROM effect e WHERE e.name = p_name || '/undone');
        RETURN true;
      END $$
      """;

  void prepare() {
    new Sql(dataSource).execute(SCHEMA);
  }

  /** An effect that can happen twice. */
  void happen(String name, long fence) throws SQLException {
    call("INSERT INTO effect (name, fence) VALUES (?, ?) RETURNING true", name, fence);
  }

  /** An effect that is refused if a higher fence was seen. */
  void happenGuarded(String name, long fence) throws SQLException {
    require(call("SELECT apply(?, ?)", name, fence));
  }

  /** An effect that happens once, however often it is called, and is guarded too. */
  void undo(String name, long fence) throws SQLException {
    require(call("SELECT undo(?, ?)", name, fence));
  }

  /** Returns whether an effect happened; with a lower fence it cannot happen any more. */
  boolean hasHappened(String name, long fence) throws SQLException {
    require(call("SELECT register(?, ?)", name, fence));
    return call("SELECT EXISTS (SELECT 1 FROM effect WHERE name = ? AND fence <= ?)", name, fence);
  }

  private static void require(boolean isAccepted) {
    if (!isAccepted) {
      throw new IllegalStateException("a higher fence was here");
    }
  }

  private boolean call(String sql, String name, long fence) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.setLong(2, fence);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
