package dev.once.bench;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the key, and inserts it after the effect if it was absent. */
final class GetThenInsert implements Pattern {
  private static final String INSERT =
      """
      INSERT INTO %s (key, answer, expires_at) VALUES (?, ?, now() + ? * interval '1 ms')
      ON CONFLICT (key) DO NOTHING
      """;

  private final KeyTable table;
  private final String insert;

  GetThenInsert(BenchDatabase database) {
    this.table = KeyTable.create(database, "get_then_insert");
    this.insert = table.sql(INSERT);
  }

  @Override
  public String name() {
    return "pattern: get, then insert";
  }

  @Override
  public String note() {
    return "executed again; concurrent callers execute too";
  }

  @Override
  public String replayNote() {
    return "one SELECT: the answer";
  }

  @Override
  public int commits() {
    return 1;
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    Optional<String> known = table.answer(key);
    if (known.isPresent()) {
      return new Reply.Replayed(known.get());
    }
    String answer = effect.perform(OptionalLong.empty());
    table.update(insert, key, answer, Sample.TERMS.retention());
    return new Reply.Executed(answer);
  }

  @Override
  public long done() throws SQLException {
    return table.done();
  }
}
