package dev.once.bench;

import dev.once.events.Event;
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
final class Eventuate {
  // Consumers, by which the accepted messages are counted.
  static final String EACH = "each";
  static final String TOGETHER = "together";

  private final BenchDatabase database;
  private final JdbcTemplate statements;
  private final TransactionTemplate transactions;
  private final SqlTableBasedDuplicateMessageDetector detector;

  Eventuate(BenchDatabase database) {
    this.database = database;
    this.statements = new JdbcTemplate(database.pool());
    this.transactions = new TransactionTemplate(new DataSourceTransactionManager(database.pool()));
    this.detector =
        new SqlTableBasedDuplicateMessageDetector(
            new EventuateSchema(),
            new PostgresDialect().getCurrentTimeInMillisecondsExpression(),
            new EventuateSpringJdbcStatementExecutor(statements),
            new EventuateSpringTransactionTemplate(transactions));
  }

  void createTables() {
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

  /** Inserts the payload into a table for later processing. */
  InboxBenchmark.Contestant withPayload() {
    return new InboxBenchmark.Contestant(
        "Eventuate, detector + INSERT of the payload",
        "the payload, in a table",
        id -> accept("single", id, WebhookSample.body(id)),
        () -> accepted("single"));
  }

  InboxBenchmark.Contestant bare() {
    return new InboxBenchmark.Contestant(
        "Eventuate, bare detector",
        "that it came, not what",
        id -> detect("bare", id, WebhookSample.body(id), () -> {}),
        () -> detected("bare"));
  }

  /**
   * Handles each event in a transaction with its detection, on as many threads as the others have.
   * The events of an aggregate are handled by one thread, as those of a partition are.
   */
  EventHandler handler(int threads) {
    return new EventHandler(
        "Eventuate, detector + effect",
        "1 commit for detector and effect",
        () -> new EventThreads(threads, this::handle));
  }

  private void handle(Event event) {
    detect(
        "handler",
        event.id(),
        WebhookSample.body(event.id()),
        () -> statements.update(RunRows.INSERT, event.id()));
  }

  /** Accepts the messages one by one, each in a transaction of its own. */
  void acceptEach(List<String> ids) {
    ids.forEach(it -> accept(EACH, it, WebhookSample.message(it)));
  }

  /** Accepts the messages in one transaction: all, or none if one of them is a duplicate. */
  void acceptTogether(List<String> ids) {
    transactions.executeWithoutResult(
        status -> ids.forEach(it -> accept(TOGETHER, it, WebhookSample.message(it))));
  }

  private void accept(String consumer, String id, String body) {
    String insert = "INSERT INTO inbox (message_id, payload) VALUES (?, ?)";
    detect(consumer, id, body, () -> statements.update(insert, id, body));
  }

  private void detect(String consumer, String id, String body, Runnable processing) {
    Message message = MessageBuilder.withPayload(body).withHeader(Message.ID, id).build();
    detector.doWithMessage(new SubscriberIdAndMessage(consumer, message), processing);
  }

  /** Returns the number of messages that a consumer has accepted with their payload. */
  long accepted(String consumer) throws SQLException {
    long payloads = database.number("SELECT count(*) FROM inbox");
    if (payloads != detected("single") + detected(EACH) + detected(TOGETHER)) {
      throw new IllegalStateException("not every message has its payload");
    }
    return detected(consumer);
  }

  private long detected(String consumer) throws SQLException {
    return database.number(
        "SELECT count(*) FROM eventuate.received_messages WHERE consumer_id = '%s'"
            .formatted(consumer));
  }
}
