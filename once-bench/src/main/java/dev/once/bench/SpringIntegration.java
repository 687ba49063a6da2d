package dev.once.bench;

import java.sql.SQLException;
import java.util.OptionalLong;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;

/**
 * Spring Integration's JDBC metadata store, which its idempotent receiver uses. A new key takes a
 * single statement, so the fastest setting is auto-commit. The receiver inserts a key before it
 * handles a message and does not update it afterwards: "in progress" and "done" are one state.
 */
final class SpringIntegration implements Contestant {
  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS int_metadata_store (
        metadata_key varchar(255) NOT NULL,
        metadata_value varchar(4000),
        region varchar(100) NOT NULL,
        PRIMARY KEY (metadata_key, region))
      """;

  static final String KNOWN = "known";

  private final BenchDatabase database;
  private final JdbcMetadataStore store;

  SpringIntegration(BenchDatabase database) {
    this.database = database;
    database.execute(CREATE);
    this.store = new JdbcMetadataStore(database.pool());
    store.afterPropertiesSet(); // Detects PostgreSQL.
    store.start();
  }

  @Override
  public String name() {
    return "Spring Integration JdbcMetadataStore";
  }

  @Override
  public String note() {
    return "key stays, the redelivered message is lost unless the flow is one transaction; no result";
  }

  @Override
  public String replayNote() {
    return "get: the value";
  }

  @Override
  public int commits() {
    return 1;
  }

  @Override
  public Role role() {
    return Role.PEER;
  }

  @Override
  public void execute(String key) {
    if (store.putIfAbsent(key, KNOWN) != null) {
      throw new IllegalStateException("not put: " + key);
    }
  }

  @Override
  public void replay(String key) {
    if (!KNOWN.equals(store.get(key))) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return call(store, key, effect);
  }

  /** Calls it as its idempotent receiver does. */
  static Reply call(ConcurrentMetadataStore store, String key, Effect effect) throws Exception {
    return store.putIfAbsent(key, KNOWN) == null
        ? new Reply.Executed(effect.perform(OptionalLong.empty()))
        : new Reply.Known();
  }

  @Override
  public long done() throws SQLException {
    return database.number("SELECT count(*) FROM int_metadata_store");
  }
}
