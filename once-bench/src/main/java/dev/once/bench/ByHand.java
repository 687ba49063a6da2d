package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

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
  private static final long LEASE_MICROS = TimeUnit.MICROSECONDS.convert(Sample.TERMS.lease());
  private static final long RETENTION_MICROS =
      TimeUnit.MICROSECONDS.convert(Sample.TERMS.retention());

  private final BenchDatabase database;

  ByHand(BenchDatabase database) {
    this.database = database;
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
  public OptionalDouble aim() {
    return OptionalDouble.of(NEAR);
  }

  @Override
  public void execute(String key) throws SQLException {
    complete(key, claim(key));
  }

  private long claim(String key) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setString(1, Sample.TENANT);
      statement.setString(2, SCOPE);
      statement.setString(3, key);
      statement.setString(4, FINGERPRINT);
      statement.setLong(5, LEASE_MICROS);
      statement.setLong(6, RETENTION_MICROS);
      statement.setString(7, "rerun");
      statement.setInt(8, Sample.TERMS.maxAttempts());
      statement.setString(9, "");
      statement.setBoolean(10, false);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || !row.getBoolean("granted")) {
          throw new IllegalStateException("not granted: " + key);
        }
        return row.getLong("fence");
      }
    }
  }

  private void complete(String key, long fence) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
      statement.setString(1, "completed");
      statement.setInt(2, 0);
      statement.setString(3, "");
      statement.setString(4, "raw");
      statement.setLong(5, Sample.ANSWER.length);
      statement.setBytes(6, Sample.ANSWER);
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
