package dev.once.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

/** Deletes the key if its lease has expired, inserts it, and updates it on completion. */
final class DeleteThenInsert implements Pattern {
  private static final String DELETE = "DELETE FROM %s WHERE key = ? AND expires_at <= now()";
  private static final String INSERT =
      """
      INSERT INTO %s (key, expires_at) VALUES (?, now() + ? * interval '1 ms')
      ON CONFLICT (key) DO NOTHING
      """;
  static final String COMPLETE =
      "UPDATE %s SET answer = ?, expires_at = now() + ? * interval '1 ms' WHERE key = ?";

  private final Duration lease;
  private final KeyTable table;
  private final String delete;
  private final String insert;
  private final String complete;

  DeleteThenInsert(BenchDatabase database, Duration lease) {
    this.lease = lease;
    this.table = KeyTable.create(database, "delete_then_insert");
    this.delete = table.sql(DELETE);
    this.insert = table.sql(INSERT);
    this.complete = table.sql(COMPLETE);
  }

  @Override
  public String name() {
    return "pattern: delete, then insert";
  }

  @Override
  public String note() {
    return "taken over when its time is over, without a fence; result replayed";
  }

  @Override
  public String replayNote() {
    return "DELETE of nothing, INSERT of nothing, SELECT: the answer";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    table.update(delete, key);
    if (table.update(insert, key, lease) == 0) {
      return table.known(key);
    }
    String answer = effect.perform(OptionalLong.empty());
    table.update(complete, answer, Sample.TERMS.retention(), key);
    return new Reply.Executed(answer);
  }

  @Override
  public long done() throws SQLException {
    return table.done();
  }
}
