package dev.once.jdbc;

import dev.once.Key;
import dev.once.spi.RecordStore;
import dev.once.testkit.ForeignTransaction;
import dev.once.testkit.StoreUnderTest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** How the contracts reach the store on PostgreSQL. */
interface DatabaseUnderTest extends StoreUnderTest {
  TestDatabase database();

  /** Letting time pass changes every record, so those of earlier tests would make it slow. */
  @BeforeEach
  default void removeEarlierRecords() {
    database().execute("TRUNCATE once_record");
  }

  @Override
  default RecordStore store() {
    return database().store();
  }

  @Override
  default RecordStore otherStore() {
    return database().otherStore();
  }

  @Override
  default void elapse(Duration time) {
    database().elapse(time);
  }

  @Override
  default List<ForeignTransaction> foreignTransactions() {
    String row = "WHERE tenant = ? AND scope = ? AND key = ?";
    return List.of(
        foreign(false, "SELECT FROM once_record " + row + " FOR UPDATE"),
        foreign(false, "UPDATE once_record SET correlation = 'changed' " + row),
        foreign(true, "DELETE FROM once_record " + row + " AND expires_at <= clock_timestamp()"));
  }

  private ForeignTransaction foreign(boolean onExpiredRecords, String sql) {
    return new ForeignTransaction(sql, onExpiredRecords, key -> open(key, sql));
  }

  private AutoCloseable open(Key key, String sql) throws SQLException {
    Connection connection = database().database().getConnection();
    connection.setAutoCommit(false);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, key.tenant());
      statement.setString(2, key.scope());
      statement.setString(3, key.value());
      statement.execute();
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }
}
