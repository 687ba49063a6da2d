package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.RecordStore;
import java.sql.SQLException;
import java.time.Duration;

/** Once's record store without the engine: one statement claims, one completes. */
final class OnceStore implements Contestant {
  private static final String SCOPE = "store";

  private final BenchDatabase database;
  private final StoreCalls calls;

  OnceStore(BenchDatabase database, Duration lease) {
    this(database, JdbcRecordStore.over(database.pool()), lease);
  }

  OnceStore(BenchDatabase database, RecordStore store, Duration lease) {
    this.database = database;
    this.calls = new StoreCalls(store, lease);
  }

  @Override
  public String name() {
    return "Once, claim + complete";
  }

  @Override
  public String note() {
    return "taken over when the lease ends; result replayed";
  }

  @Override
  public String replayNote() {
    return "decides, checks the fingerprint, returns the result";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Role role() {
    return Role.ONCE;
  }

  @Override
  public void execute(String key) {
    execute(key(key));
  }

  void execute(Key key) {
    calls.execute(key);
  }

  @Override
  public void replay(String key) {
    replay(key(key), Sample.FINGERPRINT);
  }

  void replay(Key key, Fingerprint fingerprint) {
    calls.replay(key, fingerprint);
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return calls.call(key(key), effect);
  }

  @Override
  public long done() throws SQLException {
    return doneIn(database, SCOPE);
  }

  /** Returns the number of Once's completed records in a scope. */
  static long doneIn(BenchDatabase database, String scope) throws SQLException {
    return database.number(
        "SELECT count(*) FROM once_record WHERE scope = '%s' AND state = 'completed'"
            .formatted(scope));
  }

  private static Key key(String key) {
    return new Key(Sample.TENANT, SCOPE, key);
  }
}
