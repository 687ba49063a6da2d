package dev.once.payments;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with records, and a table of charges that represents a provider's ledger. */
final class PaymentDatabase implements AutoCloseable {
  private final PGSimpleDataSource direct;
  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  PaymentDatabase(String hint) {
    this.direct = EmbeddedPostgres.shared().newDatabase(hint);
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setMaximumPoolSize(16);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    this.store = JdbcRecordStore.over(pool);
    execute("CREATE TABLE charge (reference uuid)");
  }

  PGSimpleDataSource direct() {
    return direct;
  }

  JdbcRecordStore store() {
    return store;
  }

  Connection begin() throws SQLException {
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  List<String> query(String sql) {
    return new Sql(pool).query(sql);
  }

  @Override
  public void close() {
    pool.close();
  }
}
