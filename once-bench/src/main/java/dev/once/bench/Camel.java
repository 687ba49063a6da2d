package dev.once.bench;

import java.sql.SQLException;
import java.util.OptionalLong;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.apache.camel.spi.IdempotentRepository;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Apache Camel's JDBC idempotent repository, with real transactions and the table with a primary
 * key that it creates itself. Its {@code confirm} writes nothing: "in progress" and "done" are one
 * state, so it commits once per key where Once commits twice.
 */
final class Camel implements Contestant {
  private final BenchDatabase database;
  private final JdbcMessageIdRepository repository;

  Camel(BenchDatabase database) {
    this.database = database;
    TransactionTemplate transactions =
        new TransactionTemplate(new DataSourceTransactionManager(database.pool()));
    this.repository = new JdbcMessageIdRepository(database.pool(), transactions, "bench");
    repository.start();
  }

  @Override
  public String name() {
    return "Camel JdbcMessageIdRepository";
  }

  @Override
  public String note() {
    return "key stays, the redelivered message is lost; no result";
  }

  @Override
  public String replayNote() {
    return "contains: whether the key is there";
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
    if (!repository.add(key) || !repository.confirm(key)) {
      throw new IllegalStateException("not added: " + key);
    }
  }

  @Override
  public void replay(String key) {
    if (!repository.contains(key)) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return call(repository, key, effect);
  }

  /** Calls it as its idempotent consumer does with default settings ("eager"). */
  static Reply call(IdempotentRepository repository, String key, Effect effect) throws Exception {
    if (!repository.add(key)) {
      return new Reply.Known();
    }
    String answer = effect.perform(OptionalLong.empty());
    repository.confirm(key);
    return new Reply.Executed(answer);
  }

  @Override
  public long done() throws SQLException {
    return database.number("SELECT count(*) FROM camel_messageprocessed");
  }
}
