package dev.once.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

/** One statement inserts the key, or takes it over from an owner with an expired lease. */
final class UpsertWithPredicate implements Pattern {
  private static final String CLAIM =
      """
      INSERT INTO %s AS t (key, expires_at) VALUES (?, now() + ? * interval '1 ms')
      ON CONFLICT (key) DO UPDATE SET answer = NULL, expires_at = excluded.expires_at
      WHERE t.expires_at <= now()
      """;

  private final Duration lease;
  private final KeyTable table;
  private final String claim;
  private final String complete;

  UpsertWithPredicate(BenchDatabase database, Duration lease) {
    this.lease = lease;
    this.table = KeyTable.create(database, "upsert_with_predicate");
    this.claim = table.sql(CLAIM);
    this.complete = table.sql(DeleteThenInsert.COMPLETE);
  }

  @Override
  public String name() {
    return "pattern: upsert with predicate";
  }

  @Override
  public String note() {
    return "taken over when its time is over, without a fence; result replayed";
  }

  @Override
  public String replayNote() {
    return "upsert that changes nothing, SELECT: the answer";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    if (table.update(claim, key, lease) == 0) {
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
