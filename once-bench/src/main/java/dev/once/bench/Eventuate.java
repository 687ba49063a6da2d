package dev.once.bench;

import dev.once.bench.InboxBenchmark.WebhookReceiver;
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
import java.util.function.Supplier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Eventuate Tram's duplicate detector, wired as its starter does, with the table of its own script:
 * one INSERT detects a duplicate, in the same transaction as the processing.
 */
final class Eventuate {
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

  /** Inserts the payload of an event into a table for later processing. */
  Contestant<WebhookReceiver> withPayload() {
    return inbox(
        "detector + INSERT of the payload",
        "the payload, in a table",
        "single",
        ids -> accept("single", ids.get(0), WebhookSample.body(ids.get(0))));
  }

  Contestant<WebhookReceiver> bare() {
    return inbox(
        "bare detector",
        "that it came, not what",
        "bare",
        ids -> detect("bare", ids.get(0), WebhookSample.body(ids.get(0)), () -> {}));
  }

  Contestant<WebhookReceiver> each() {
    return inbox(
        "a transaction each",
        "1 commit per message",
        "each",
        ids -> ids.forEach(it -> accept("each", it, WebhookSample.message(it))));
  }

  /** Accepts all messages, or none if one of them is a duplicate. */
  Contestant<WebhookReceiver> together() {
    return inbox(
        "one transaction",
        "1 commit for all messages",
        "together",
        ids ->
            transactions.executeWithoutResult(
                status -> ids.forEach(it -> accept("together", it, WebhookSample.message(it)))));
  }

  /**
   * @param consumer the name by which the accepted messages are counted
   */
  private Contestant<WebhookReceiver> inbox(
      String name, String note, String consumer, Session.Action<List<String>> acceptance) {
    return new Contestant<>(
        "Eventuate, " + name, note, new WebhookReceiver(acceptance, () -> accepted(consumer)));
  }

  /**
   * Handles each event in a transaction with its detection, on as many threads as the others have.
   * The events of an aggregate are handled by one thread, as those of a partition are.
   */
  Contestant<Supplier<ConsumerProcess>> handler(int threads) {
    return new Contestant<>(
        "Eventuate, detector + effect",
        "1 commit for detector and effect",
        () -> new PartitionedThreads(threads, this::handle));
  }

  private void handle(Event event) {
    detect(
        "handler",
        event.id(),
        WebhookSample.body(event.id()),
        () -> statements.update(RunRows.INSERT, event.id()));
  }

  private void accept(String consumer, String id, String body) {
    String insert = "INSERT INTO inbox (message_id, payload) VALUES (?, ?)";
    detect(consumer, id, body, () -> statements.update(insert, id, body));
  }

  private void detect(String consumer, String id, String body, Runnable processing) {
    Message message = MessageBuilder.withPayload(body).withHeader(Message.ID, id).build();
    detector.doWithMessage(new SubscriberIdAndMessage(consumer, message), processing);
  }

  /** Counts a consumer's messages, and checks that all but the bare ones have their payload. */
  private long accepted(String consumer) throws SQLException {
    String detected = "SELECT count(*) FROM eventuate.received_messages WHERE consumer_id ";
    if (database.number("SELECT count(*) FROM inbox")
        != database.number(detected + "NOT IN ('bare', 'handler')")) {
      throw new IllegalStateException("not every message has its payload");
    }
    return database.number(detected + "= '%s'".formatted(consumer));
  }
}
