package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What operators do with records, inside one transaction of the caller. A change is tried once,
 * without waiting for another transaction. It has no savepoint, so a conflict at the stricter
 * isolation levels aborts the caller's transaction, as a conflict of any other statement of the
 * caller does.
 */
final class TransactionRecordAdmin implements RecordAdmin {
  private final Connection connection;

  TransactionRecordAdmin(Connection connection) {
    TransactionRecordStore.requireTransaction(connection);
    this.connection = connection;
  }

  @Override
  public boolean reopen(Key key) {
    return operate("reopen", key, it -> ReopenStatement.execute(it, key));
  }

  @Override
  public boolean expire(Key key) {
    return operate("expire", key, it -> ExpireStatement.execute(it, key));
  }

  @Override
  public int purge(Purge purge) {
    try {
      return PurgeStatement.execute(connection, purge, new PurgeCursor());
    } catch (SQLException e) {
      throw new StoreException("purge failed: " + SqlStates.messageOf(e), e);
    }
  }

  private boolean operate(String what, Key key, TransactionRunner.Step<ChangeResult> step) {
    try {
      ChangeResult change = step.run(connection);
      if (change == ChangeResult.BUSY) {
        throw ChangeResult.busy(key);
      }
      return change == ChangeResult.MADE;
    } catch (SQLException e) {
      throw TransactionRecordStore.failed(what, key, e);
    }
  }
}
