package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import picocli.CommandLine.Mixin;

/** The database of the records. */
final class RecordDatabase {
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  OpenRecords open(Session session) {
    HikariDataSource pool = database.open(session, "the table of records", JdbcSchema::check);
    try {
      return new OpenRecords(JdbcRecordStore.over(pool), pool);
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }
}
