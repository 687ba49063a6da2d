package dev.once.bench;

import io.eventuate.common.jdbc.EventuateSchema;
import io.eventuate.common.jdbc.sqldialect.PostgresDialect;
import io.eventuate.common.spring.jdbc.EventuateSpringJdbcStatementExecutor;
import io.eventuate.common.spring.jdbc.EventuateSpringTransactionTemplate;
import io.eventuate.tram.consumer.jdbc.SqlTableBasedDuplicateMessageDetector;
import io.eventuate.tram.messaging.common.Message;
import io.eventuate.tram.messaging.common.SubscriberIdAndMessage;
import io.eventuate.tram.messaging.producer.MessageBuilder;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Eventuate Tram's duplicate detector, wired as its starter does, with the table of its own script:
 * one INSERT detects a duplicate, in the same transaction as the processing.
 */
final class Eventuate implements InboxContestant {
  private final BenchDatabase database;
  private final JdbcTemplate statements;
  private final TransactionTemplate transactions;
  private final SqlTableBasedDuplicateMessageDetector detector;
  private final boolean keeps;

  /**
   * @param keeps whether the payload is inserted into a table for later processing
   */
  Eventuate(BenchDatabase database, boolean keeps) {
    this.database = database;
    this.keeps = keeps;
    this.statements = new JdbcTemplate(database.pool());
    this.transactions = new TransactionTemplate(new DataSourceTransactionManager(database.pool()));
    this.detector =
        new SqlTableBasedDuplicateMessageDetector(
            new EventuateSchema(),
            new PostgresDialect().getCurrentTimeInMillisecondsExpression(),
            new EventuateSpringJdbcStatementExecutor(statements),
            new EventuateSpringTransactionTemplate(transactions));
  }

  static void createTables(BenchDatabase database) {
    database.execute("CREATE SCHEMA eventuate");
    database.execute(
        """
        CREATE TABLE eventuate.received_messages (
          consumer_id varchar(1000), message_id varchar(1000), creation_time bigint,
          PRIMARY KEY (consumer_id, message_id))
        """);
    database.execute(
        """
        CREATE TABLE inbox (
          id bigserial PRIMARY KEY, message_id text NOT NULL, payload text NOT NULL)
        """);
  }

  @Override
  public String name() {
    return keeps ? "Eventuate, detector + INSERT of the payload" : "Eventuate, bare detector";
  }

  @Override
  public String note() {
    return keeps ? "the payload, in a table" : "that it came, not what";
  }

  @Override
  public boolean isOnce() {
    return false;
  }

  @Override
  public void accept(String id) {
    accept(id, WebhookSample.body(id));
  }

  /** Accepts the messages one by one, each in a transaction of its own. */
  void acceptEach(List<String> ids) {
    ids.forEach(it -> accept(it, WebhookSample.message(it)));
  }

  /** Accepts the messages in one transaction: all, or none if one of them is a duplicate. */
  void acceptTogether(List<String> ids) {
    transactions.executeWithoutResult(status -> acceptEach(ids));
  }

  private void accept(String id, String body) {
    Message message = MessageBuilder.withPayload(body).withHeader(Message.ID, id).build();
    detector.doWithMessage(
        new SubscriberIdAndMessage(consumer(), message),
        () -> {
          if (keeps) {
            statements.update("INSERT INTO inbox (message_id, payload) VALUES (?, ?)", id, body);
          }
        });
  }

  private String consumer() {
    return keeps ? "keeps" : "bare";
  }

  @Override
  public long accepted() throws SQLException {
    long messages =
        database.number(
            "SELECT count(*) FROM eventuate.received_messages WHERE consumer_id = '%s'"
                .formatted(consumer()));
    if (keeps && messages != database.number("SELECT count(*) FROM inbox")) {
      throw new IllegalStateException("not every message has its payload");
    }
    return messages;
  }
}
