package dev.once.bench;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The two statements of Once's store, sent with nothing but JDBC: what the database and the driver
 * cost, and so the limit for any library that sends them one by one.
 */
final class ByHand implements Contestant {
  /** The same texts that the store sends; a test compares them. */
  static final String CLAIM =
      """
      SELECT * FROM once_claim(
        ?, ?, ?, ?, ? * interval '1 microsecond', ? * interval '1 microsecond', ?, ?, ?, ?)
      """;

  static final String COMPLETE =
      """
      UPDATE once_record
      SET state = ?, status = ?, headers = ?, body_form = ?, body_bytes = ?, body = ?,
          expires_at = clock_timestamp() + ? * interval '1 microsecond'
      WHERE ctid = (SELECT ctid FROM once_record
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ? AND state = 'in_progress'
        AND expires_at > clock_timestamp() FOR UPDATE SKIP LOCKED)
      """;

  private static final String READ =
      "SELECT state, status, headers, body_form, body_bytes, body FROM once_record"
          + " WHERE tenant = ? AND scope = ? AND key = ?";

  private static final String SCOPE = "hand";
  private static final String FINGERPRINT = Sample.FINGERPRINT.toString();
  private static final long RETENTION_MICROS =
      TimeUnit.MICROSECONDS.convert(Sample.TERMS.retention());

  private final BenchDatabase database;
  private final long leaseMicros;

  ByHand(BenchDatabase database, Duration lease) {
    this.database = database;
    this.leaseMicros = TimeUnit.MICROSECONDS.convert(lease);
  }

  @Override
  public String name() {
    return "by hand: the same statements";
  }

  @Override
  public String note() {
    return "as Once, if the caller writes the rest of it";
  }

  @Override
  public String replayNote() {
    return "one SELECT by primary key: reads, decides nothing";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Role role() {
    return Role.BY_HAND;
  }

  @Override
  public void execute(String key) throws SQLException {
    Claimed claimed = claim(key);
    if (!claimed.granted) {
      throw new IllegalStateException("not granted: " + key);
    }
    complete(key, claimed.fence, Sample.ANSWER);
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    Claimed claimed = claim(key);
    if (claimed.granted) {
      String answer = effect.perform(OptionalLong.of(claimed.fence));
      complete(key, claimed.fence, answer.getBytes(StandardCharsets.UTF_8));
      return new Reply.Executed(answer);
    }
    return claimed.answer == null
        ? new Reply.Busy()
        : new Reply.Replayed(new String(claimed.answer, StandardCharsets.UTF_8));
  }

  /** What the claim's row says. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares these.
  private record Claimed(boolean granted, long fence, byte @Nullable [] answer) {}

  private Claimed claim(String key) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setString(1, Sample.TENANT);
      statement.setString(2, SCOPE);
      statement.setString(3, key);
      statement.setString(4, FINGERPRINT);
      statement.setLong(5, leaseMicros);
      statement.setLong(6, RETENTION_MICROS);
      statement.setString(7, "rerun");
      statement.setInt(8, Sample.TERMS.maxAttempts());
      statement.setString(9, "");
      statement.setBoolean(10, false);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean("granted")
            ? new Claimed(true, row.getLong("fence"), null)
            : new Claimed(false, 0, row.getBytes("body"));
      }
    }
  }

  private void complete(String key, long fence, byte[] answer) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
      statement.setString(1, "completed");
      statement.setInt(2, 0);
      statement.setString(3, "");
      statement.setString(4, "raw");
      statement.setLong(5, answer.length);
      statement.setBytes(6, answer);
      statement.setLong(7, RETENTION_MICROS);
      statement.setString(8, Sample.TENANT);
      statement.setString(9, SCOPE);
      statement.setString(10, key);
      statement.setLong(11, fence);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("not completed: " + key);
      }
    }
  }

  /** A plain read by primary key, which decides nothing. */
  @Override
  public void replay(String key) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setString(1, Sample.TENANT);
      statement.setString(2, SCOPE);
      statement.setString(3, key);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || row.getBytes("body").length != Sample.ANSWER.length) {
          throw new IllegalStateException("not found: " + key);
        }
      }
    }
  }

  @Override
  public long done() throws SQLException {
    return OnceStore.doneIn(database, SCOPE);
  }
}
