package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import java.sql.SQLException;
import java.util.OptionalDouble;

/** Once's record store without the engine: one statement claims, one completes. */
final class OnceStore implements Contestant {
  private static final String SCOPE = "store";

  private final BenchDatabase database;
  private final JdbcRecordStore store;

  OnceStore(BenchDatabase database) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
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
  public OptionalDouble aim() {
    return OptionalDouble.empty();
  }

  @Override
  public void execute(String key) {
    execute(new Key(Sample.TENANT, SCOPE, key));
  }

  void execute(Key key) {
    if (!(store.claim(Sample.claim(key, Sample.FINGERPRINT)) instanceof Claim.Granted grant)) {
      throw new IllegalStateException("not granted: " + key);
    }
    store.complete(grant, Sample.OUTCOME, Sample.TERMS.retention());
  }

  @Override
  public void replay(String key) {
    replay(new Key(Sample.TENANT, SCOPE, key), Sample.FINGERPRINT);
  }

  void replay(Key key, Fingerprint fingerprint) {
    if (!(store.claim(Sample.claim(key, fingerprint)) instanceof Claim.Replay)) {
      throw new IllegalStateException("not replayed: " + key);
    }
  }

  @Override
  public long done() throws SQLException {
    return doneIn(database, SCOPE);
  }

  /** How many of Once's records in a scope are complete. */
  static long doneIn(BenchDatabase database, String scope) throws SQLException {
    return database.number(
        "SELECT count(*) FROM once_record WHERE scope = '%s' AND state = 'completed'"
            .formatted(scope));
  }
}
