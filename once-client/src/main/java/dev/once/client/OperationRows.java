package dev.once.client;

import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of the table {@code operation} as objects. */
final class OperationRows {
  /** The states of operations that block those behind them. */
  static final String OPEN = "('pending', 'sending', 'failed')";

  static final String COLUMNS =
      """
      id, key, type, ordering_key, group_id, compensates, request, state, attempts, unanswered,
      first_sent_at, fence, next_attempt_at, advice, reason, answer
      """;

  private static final int MAX_REASON_CHARS = 500;
  private static final URI UNREADABLE = URI.create("http://unreadable.invalid/");

  private final QueueCipher cipher;

  OperationRows(QueueCipher cipher) {
    this.cipher = cipher;
  }

  /** Reads a row; one whose request cannot be read without it, so that it can be dropped. */
  QueuedOperation readAny(ResultSet row) throws SQLException {
    try {
      return read(row);
    } catch (QueueException e) {
      return queued(row, Operation.builder("UNREADABLE", UNREADABLE), Optional.empty());
    }
  }

  /**
   * Reads a row.
   *
   * @throws QueueException if it cannot be decoded
   */
  QueuedOperation read(ResultSet row) throws SQLException {
    String id = row.getString("id");
    return queued(
        row,
        QueueCodec.request(cipher.open(id, row.getBytes("request"))),
        Optional.ofNullable(row.getBytes("answer"))
            .map(it -> QueueCodec.answer(cipher.open(id, it))));
  }

  private static QueuedOperation queued(
      ResultSet row, Operation.Builder request, Optional<Answer> answer) throws SQLException {
    Operation.Builder operation =
        request.id(row.getString("id")).key(row.getString("key")).type(row.getString("type"));
    Optional.ofNullable(row.getString("ordering_key")).ifPresent(operation::orderingKey);
    OperationState state = OperationState.of(row.getString("state"));
    return new QueuedOperation(
        operation.build(),
        Optional.ofNullable(row.getString("group_id")),
        Optional.ofNullable(row.getString("compensates")),
        state,
        row.getInt("attempts"),
        time(row, "first_sent_at"),
        state == OperationState.PENDING ? time(row, "next_attempt_at") : Optional.empty(),
        Optional.ofNullable(row.getString("advice")).map(Advice::valueOf),
        Optional.ofNullable(row.getString("reason")),
        answer);
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() || millis == 0
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** Returns the bytes of a request as they are stored. */
  byte[] request(String id, Operation operation) {
    return cipher.seal(id, QueueCodec.request(operation));
  }

  /** Returns the bytes of an answer as they are stored. */
  byte @Nullable [] answer(Operation operation, Optional<Answer> answer, int maxBodyBytes) {
    return answer
        .map(it -> cipher.seal(operation.id(), QueueCodec.answer(it, maxBodyBytes)))
        .orElse(null);
  }

  static String shortened(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "…";
  }

  /** Returns states as a list of SQL. */
  static String words(List<OperationState> states) {
    return states.stream()
        .map(it -> "'" + it.word() + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Returns whether these are all states there are. */
  static boolean isEvery(List<OperationState> states) {
    return states.containsAll(Arrays.asList(OperationState.values()));
  }
}
