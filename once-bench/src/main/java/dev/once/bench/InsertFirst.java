package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Inserts the key, executes and updates the key in one transaction; concurrent callers block. */
final class InsertFirst implements Pattern {
  private static final String INSERT =
      """
      INSERT INTO %s (key, expires_at) VALUES (?, now() + ? * interval '1 ms')
      ON CONFLICT (key) DO NOTHING
      """;
  private static final String COMPLETE = "UPDATE %s SET answer = ? WHERE key = ?";

  private final KeyTable table;
  private final String insert;
  private final String complete;

  InsertFirst(BenchDatabase database) {
    this.table = KeyTable.create(database, "insert_first");
    this.insert = table.sql(INSERT);
    this.complete = table.sql(COMPLETE);
  }

  @Override
  public String name() {
    return "pattern: insert first, caller's transaction";
  }

  @Override
  public String note() {
    return "rolled back with the caller's writes; duplicates hold a connection while they wait";
  }

  @Override
  public String replayNote() {
    return "INSERT of nothing, SELECT: the answer";
  }

  @Override
  public int commits() {
    return 1;
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    try (Connection connection = table.open()) {
      connection.setAutoCommit(false); // The pool resets it and rolls back.
      if (KeyTable.update(connection, insert, key, Sample.TERMS.retention()) == 1) {
        String answer = effect.perform(OptionalLong.empty());
        KeyTable.update(connection, complete, answer, key);
        connection.commit();
        return new Reply.Executed(answer);
      }
    }
    return table.known(key);
  }

  @Override
  public long done() throws SQLException {
    return table.done();
  }
}
