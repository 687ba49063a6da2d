package dev.once.jdbc.internal;

import dev.once.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The versioned tables of a module. Each version is one script in the module's resources, so that
 * the scripts can be read, reviewed, and run by another tool. Every script adds its number to the
 * version table, which the first script creates.
 *
 * @param home the class that has the scripts as resources; error messages name its {@code apply}
 * @param versionTable the table that says which versions the database has
 * @param scripts the scripts' names, from version 1 on
 * @param namespace the PostgreSQL schema that replaces {@code ${schema}} in the scripts and that
 *     they create; empty if they have no such placeholder
 */
public record Schema(
    Class<?> home, String versionTable, List<String> scripts, Optional<String> namespace) {
  /** An arbitrary number that other programs on the database do not use: "once" in ASCII. */
  private static final long APPLY_LOCK = 0x6f6e6365L;

  private static final Pattern NAMESPACE = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  public Schema {
    namespace.ifPresent(Schema::requireName);
  }

  /** Tables in the schema in which the connection creates them. */
  public Schema(Class<?> home, String versionTable, List<String> scripts) {
    this(home, versionTable, scripts, Optional.empty());
  }

  /** Returns the version that this release works with. */
  public int version() {
    return scripts.size();
  }

  /**
   * Upgrades the schema to this release's version. Safe to call from many nodes at once and again
   * at every start. A failed upgrade changes nothing.
   *
   * @throws StoreException if the schema is of a newer release
   */
  public void apply(DataSource dataSource) {
    new TransactionRunner(dataSource).runInTransaction("applying the schema", this::upgrade);
  }

  /**
   * Checks that this release can work with the schema as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public void check(DataSource dataSource) {
    int found;
    try (Connection connection = dataSource.getConnection()) {
      found = versionOf(connection);
    } catch (SQLException e) {
      throw new StoreException("reading the schema version failed: " + SqlStates.messageOf(e), e);
    }
    refuseNewer(found);
    if (found < version()) {
      throw new StoreException(
          "the schema of Once has version %d, this release needs %d: call %s.apply"
              .formatted(found, version(), home.getSimpleName()),
          null);
    }
  }

  /** Upgrades the schema and returns its version before that. */
  private int upgrade(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // At a stricter level the transaction would see the database as it was before it waited for
      // the lock.
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
      statement.execute("SELECT pg_advisory_xact_lock(" + APPLY_LOCK + ")");
      int found = versionOf(connection);
      refuseNewer(found);
      for (int next = found + 1; next <= version(); next++) {
        statement.execute(script(scripts.get(next - 1)));
      }
      return found;
    }
  }

  private int versionOf(Connection connection) throws SQLException {
    String exists = "SELECT (to_regclass('" + versionTable + "') IS NOT NULL)::int";
    return read(connection, exists) == 1
        ? read(connection, "SELECT max(version) FROM " + versionTable)
        : 0;
  }

  private static int read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** The name becomes a part of statements, unquoted. */
  private static void requireName(String namespace) {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "schema must consist of a-z, 0-9 and _, at most 63 characters and no digit first, got "
              + namespace);
    }
  }

  private void refuseNewer(int found) {
    if (found > version()) {
      throw new StoreException(
          "the schema of Once has version %d, this release knows up to %d: upgrade this node"
              .formatted(found, version()),
          null);
    }
  }

  private String script(String name) {
    try (InputStream in = home.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("the jar of " + home.getName() + " lacks " + name);
      }
      String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return namespace.map(it -> script.replace("${schema}", it)).orElse(script);
    } catch (IOException e) {
      throw new StoreException("reading " + name + " failed", e);
    }
  }
}
