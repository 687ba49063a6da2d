package dev.once.jdbc;

import dev.once.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * The table that {@link JdbcRecordStore} needs, in versions. The scripts are in this package's
 * resources, one per version, so that they can be read, reviewed, and run by another tool.
 */
public final class JdbcSchema {
  private static final List<String> SCRIPTS = List.of("postgresql/V1__records.sql");

  /** The version this release works with: one script each. */
  static final int VERSION = SCRIPTS.size();

  /** Any number that other programs on the database do not use: "once" in ASCII. */
  private static final long APPLY_LOCK = 0x6f6e6365L;

  private JdbcSchema() {}

  /**
   * Brings the database to this release's version. Safe to call from many nodes at once and again
   * at every start; all or nothing.
   *
   * @throws StoreException if the database is of a newer release
   */
  public static void apply(DataSource dataSource) {
    new Work(dataSource).runInTransaction("applying the schema", JdbcSchema::upgrade);
  }

  /**
   * Makes sure that this release can work with the database as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public static void check(DataSource dataSource) {
    int version;
    try (Connection connection = dataSource.getConnection()) {
      version = versionOf(connection);
    } catch (SQLException e) {
      throw new StoreException("reading the schema version failed: " + SqlStates.messageOf(e), e);
    }
    refuseNewer(version);
    if (version < VERSION) {
      throw new StoreException(
          "the schema of Once has version %d, this release needs %d: call JdbcSchema.apply"
              .formatted(version, VERSION),
          null);
    }
  }

  /** Returns the version that was there before. */
  private static int upgrade(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // At a stricter level the database would look as it was before the lock was waited for.
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
      statement.execute("SELECT pg_advisory_xact_lock(" + APPLY_LOCK + ")");
      int version = versionOf(connection);
      refuseNewer(version);
      for (int next = version + 1; next <= VERSION; next++) {
        statement.execute(script(SCRIPTS.get(next - 1)));
      }
      return version;
    }
  }

  private static int versionOf(Connection connection) throws SQLException {
    boolean exists = read(connection, "SELECT (to_regclass('once_schema') IS NOT NULL)::int") == 1;
    return exists ? read(connection, "SELECT max(version) FROM once_schema") : 0;
  }

  private static int read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void refuseNewer(int version) {
    if (version > VERSION) {
      throw new StoreException(
          "the schema of Once has version %d, this release knows up to %d: upgrade this node"
              .formatted(version, VERSION),
          null);
    }
  }

  private static String script(String name) {
    try (InputStream in = JdbcSchema.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("the jar of once-jdbc lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StoreException("reading " + name + " failed", e);
    }
  }
}
