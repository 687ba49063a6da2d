package dev.once.bench;

import dev.once.bench.IdempotentReceiver.Calls;
import dev.once.bench.IdempotentReceiver.Effect;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;

/**
 * Common patterns, each on a small table of keys and answers, implemented as well as we can: the
 * fast calls are also the correct ones.
 */
record Pattern(BenchDatabase database, String table, String complete, String read) {
  private static final long RETENTION = Sample.TERMS.retention().toMillis();
  private static final String CLAIM =
      """
      INSERT INTO %s (key, expires_at) VALUES (?, now() + ? * interval '1 ms')
      ON CONFLICT (key) DO NOTHING
      """;
  private static final String UNFENCED =
      "2 commits; taken over when its time is over, without a fence; result replayed";

  /** Creates the table unless another process has created it. */
  private static Pattern on(BenchDatabase database, String table) {
    database.execute(
        """
        CREATE TABLE IF NOT EXISTS %s (
          key text PRIMARY KEY, answer text, expires_at timestamptz NOT NULL)
        """
            .formatted(table));
    return new Pattern(
        database,
        table,
        "UPDATE %s SET answer = ?, expires_at = now() + ? * interval '1 ms' WHERE key = ?"
            .formatted(table),
        "SELECT answer FROM %s WHERE key = ?".formatted(table));
  }

  /** Reads the key, and inserts it after the effect if it was absent. */
  static Contestant<IdempotentReceiver> getThenInsert(BenchDatabase database) {
    Pattern keys = on(database, "get_then_insert");
    String insert =
        keys.sql(
            """
            INSERT INTO %s (key, answer, expires_at) VALUES (?, ?, now() + ? * interval '1 ms')
            ON CONFLICT (key) DO NOTHING
            """);
    return keys.contestant(
        "get, then insert",
        "1 commit; executed again; concurrent callers execute too",
        "one SELECT: the answer",
        (key, effect) -> {
          Optional<String> known = keys.answer(key);
          if (known.isPresent()) {
            return new Reply.Replayed(known.get());
          }
          String answer = effect.perform();
          database.update(insert, key, answer, RETENTION);
          return new Reply.Executed(answer);
        });
  }

  /** Deletes the key if its lease has expired, inserts it, and updates it on completion. */
  static Contestant<IdempotentReceiver> deleteThenInsert(BenchDatabase database, Duration lease) {
    Pattern keys = on(database, "delete_then_insert");
    String delete = keys.sql("DELETE FROM %s WHERE key = ? AND expires_at <= now()");
    String insert = keys.sql(CLAIM);
    return keys.contestant(
        "delete, then insert",
        UNFENCED,
        "DELETE of nothing, INSERT of nothing, SELECT: the answer",
        (key, effect) -> {
          database.update(delete, key);
          return keys.executeIf(database.update(insert, key, lease.toMillis()), key, effect);
        });
  }

  /** One statement inserts the key, or takes it over from an owner with an expired lease. */
  static Contestant<IdempotentReceiver> upsertWithPredicate(
      BenchDatabase database, Duration lease) {
    Pattern keys = on(database, "upsert_with_predicate");
    String upsert =
        keys.sql(
            """
            INSERT INTO %s AS t (key, expires_at) VALUES (?, now() + ? * interval '1 ms')
            ON CONFLICT (key) DO UPDATE SET answer = NULL, expires_at = excluded.expires_at
            WHERE t.expires_at <= now()
            """);
    return keys.contestant(
        "upsert with predicate",
        UNFENCED,
        "upsert that changes nothing, SELECT: the answer",
        (key, effect) ->
            keys.executeIf(database.update(upsert, key, lease.toMillis()), key, effect));
  }

  /** Inserts the key, executes and updates the key in one transaction; concurrent callers block. */
  static Contestant<IdempotentReceiver> insertFirst(BenchDatabase database) {
    Pattern keys = on(database, "insert_first");
    String insert = keys.sql(CLAIM);
    String complete = keys.sql("UPDATE %s SET answer = ? WHERE key = ?");
    return keys.contestant(
        "insert first, caller's transaction",
        "1 commit; rolled back with the caller's writes; duplicates hold a connection while they wait",
        "INSERT of nothing, SELECT: the answer",
        (key, effect) -> {
          try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false); // The pool resets it and rolls back.
            if (BenchDatabase.update(connection, insert, key, RETENTION) == 1) {
              String answer = effect.perform();
              BenchDatabase.update(connection, complete, answer, key);
              connection.commit();
              return new Reply.Executed(answer);
            }
          }
          return keys.known(key);
        });
  }

  private Contestant<IdempotentReceiver> contestant(
      String name, String note, String replayNote, Calls calls) {
    String done = sql("SELECT count(*) FROM %s WHERE answer IS NOT NULL");
    return new Contestant<>(
        "pattern: " + name,
        note,
        IdempotentReceiver.of(calls, () -> database.number(done)).replaying(replayNote));
  }

  private String sql(String text) {
    return text.formatted(table);
  }

  /** Performs the effect and completes the key if one row was claimed. */
  private Reply executeIf(int claimed, String key, Effect effect) throws Exception {
    if (claimed == 0) {
      return known(key);
    }
    String answer = effect.perform();
    database.update(complete, answer, RETENTION, key);
    return new Reply.Executed(answer);
  }

  /** Returns the reply to a caller that finds the key claimed. */
  private Reply known(String key) {
    return answer(key).<Reply>map(Reply.Replayed::new).orElseGet(Reply.Busy::new);
  }

  private Optional<String> answer(String key) {
    return Optional.ofNullable((String) database.value(read, key));
  }
}
