package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Key;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.RecordView;

/** Records and their connections. */
record OpenRecords(JdbcRecordStore store, HikariDataSource pool) implements AutoCloseable {
  /** Returns the record, which must exist: a typing error must not look like success. */
  RecordView require(Key key) {
    return store
        .find(key)
        .orElseThrow(
            () ->
                new CommandException(
                    "tenant %s has no record of key %s in scope %s: check all three (./once inspect --tenant %s lists its records)"
                        .formatted(
                            Text.printable(key.tenant()),
                            Text.printable(key.value()),
                            Text.printable(key.scope()),
                            Text.printable(key.tenant()))));
  }

  @Override
  public void close() {
    pool.close();
  }
}
