package dev.once.bench;

import dev.once.Key;
import dev.once.Once;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Once in the caller's transaction: claim, the caller's own writes and outcome in one commit. */
final class OnceInTransaction implements Contestant {
  private static final String SCOPE = "transaction";

  private final BenchDatabase database;
  private final JdbcRecordStore store;
  private final Once once;

  OnceInTransaction(BenchDatabase database, Once once) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
    this.once = once;
  }

  @Override
  public String name() {
    return "Once.run, caller's transaction";
  }

  @Override
  public String note() {
    return "rolled back with the caller's writes; result replayed";
  }

  @Override
  public String replayNote() {
    return "the same in a transaction with a savepoint";
  }

  @Override
  public int commits() {
    return 1;
  }

  @Override
  public Role role() {
    return Role.ONCE;
  }

  @Override
  public void execute(String key) throws SQLException {
    OnceEngine.require(Result.Executed.class, run(key));
  }

  @Override
  public void replay(String key) throws SQLException {
    OnceEngine.require(Result.Replayed.class, run(key));
  }

  @Override
  public long done() throws SQLException {
    return OnceStore.doneIn(database, SCOPE);
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return OnceEngine.reply(run(key, OnceEngine.effectOf(effect)));
  }

  private Result<byte @Nullable []> run(String key) throws SQLException {
    return run(key, execution -> Sample.ANSWER);
  }

  private <X extends Exception> Result<byte @Nullable []> run(
      String key, dev.once.Effect<byte @Nullable [], X> effect) throws SQLException, X {
    Key full = new Key(Sample.TENANT, SCOPE, key);
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false); // The pool resets it.
      Result<byte @Nullable []> result =
          once.joining(store.within(connection)).run(Sample.request(full), effect);
      connection.commit();
      return result;
    }
  }
}
