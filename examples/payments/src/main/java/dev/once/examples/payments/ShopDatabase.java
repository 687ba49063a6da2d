package dev.once.examples.payments;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.workflow.WorkflowsSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The shop's database: orders, stock and money, beside the records of Once. */
final class ShopDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 24;

  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  ShopDatabase(DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(CONNECTIONS);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    InboxSchema.apply(pool);
    WorkflowsSchema.apply(pool);
    inTransaction(ShopDatabase::applySchema);
    this.store = JdbcRecordStore.over(pool);
  }

  /** The work of a transaction. */
  interface Callback<T extends @Nullable Object, X extends Exception> {
    T execute(Connection connection) throws X, SQLException;
  }

  DataSource dataSource() {
    return pool;
  }

  JdbcRecordStore store() {
    return store;
  }

  /** Commits what {@code work} wrote if it returns, and rolls it back if it throws. */
  <T extends @Nullable Object, X extends Exception> T inTransaction(Callback<T, X> work) throws X {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      T value;
      try {
        value = work.execute(connection);
      } catch (Throwable failure) {
        connection.rollback();
        throw failure;
      }
      connection.commit();
      return value;
    } catch (SQLException e) {
      throw new IllegalStateException("the database failed: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }

  private static @Nullable Void applySchema(Connection connection) throws SQLException {
    try (InputStream script = ShopDatabase.class.getResourceAsStream("schema.sql");
        Statement statement = connection.createStatement()) {
      byte[] bytes = Objects.requireNonNull(script, "schema.sql").readAllBytes();
      statement.execute(new String(bytes, StandardCharsets.UTF_8));
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
