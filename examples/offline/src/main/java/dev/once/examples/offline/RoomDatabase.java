package dev.once.examples.offline;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The server's database: rooms, beside the records of Once. */
final class RoomDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 8;

  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  RoomDatabase(DataSource database) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(CONNECTIONS);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(schema());
    }
    this.store = JdbcRecordStore.over(pool);
  }

  private static String schema() {
    try (InputStream script = RoomDatabase.class.getResourceAsStream("schema.sql")) {
      byte[] bytes = Objects.requireNonNull(script, "schema.sql").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DataSource dataSource() {
    return pool;
  }

  JdbcRecordStore store() {
    return store;
  }

  /** Returns how many rooms were created with each key. */
  Map<String, Integer> roomsByKey() throws SQLException {
    Map<String, Integer> counts = new TreeMap<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT key, count(*) FROM room GROUP BY key")) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getInt(2));
      }
    }
    return counts;
  }

  @Override
  public void close() {
    pool.close();
  }
}
