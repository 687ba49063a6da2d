package dev.once.bench;

import dev.once.bench.Contestant.Effect;
import dev.once.bench.Contestant.Role;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the statements of Once's store with plain JDBC. This measures the cost of database and
 * driver, which is the limit for any library that sends the statements one by one.
 */
final class ByHand {
  private static final String CLAIM = sqlOf("SingleClaim");
  private static final String COMPLETE = sqlOf("CompleteStatement");

  /** For a record that neither inserts nor answers: an expired lease, for example. */
  private static final String TAKE_OVER =
      """
      SELECT * FROM once_claim(
        ?, ?, ?, ?, ? * interval '1 microsecond', ? * interval '1 microsecond', 'rerun', ?, '', ?,
        false, 65536)
      """;

  private static final String READ =
      "SELECT state, status, headers, body_form, body_bytes, body FROM once_record"
          + " WHERE tenant = ? AND scope = ? AND key = ?";

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int MAX_BODY = 65_536;
  private static final String SCOPE = "hand";
  private static final String FINGERPRINT = Sample.FINGERPRINT.toString();
  private static final long RETENTION_MICROS =
      TimeUnit.MICROSECONDS.convert(Sample.TERMS.retention());

  private final BenchDatabase database;
  private final long leaseMicros;

  private ByHand(BenchDatabase database, Duration lease) {
    this.database = database;
    this.leaseMicros = TimeUnit.MICROSECONDS.convert(lease);
  }

  /** Returns the text that the store sends, which is no part of its API. */
  private static String sqlOf(String statement) {
    try {
      Field field = Class.forName("dev.once.jdbc." + statement).getDeclaredField("SQL");
      field.setAccessible(true);
      return (String) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the store has no statement " + statement, e);
    }
  }

  static Contestant contestant(BenchDatabase database, Duration lease) {
    ByHand hand = new ByHand(database, lease);
    return Contestant.of(
            "by hand: the same statements",
            Role.BY_HAND,
            "2 commits; as Once, if the caller writes the rest of it",
            hand::call,
            () -> database.completed("scope = '" + SCOPE + "'"))
        .replaying("one SELECT by primary key: reads, decides nothing", hand::read);
  }

  private Reply call(String key, Effect effect) throws Exception {
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

  /** The row that the claim returned. */
  @SuppressWarnings("ArrayRecordComponent") // Instances are never compared.
  private record Claimed(boolean granted, long fence, byte @Nullable [] answer) {}

  private Claimed claim(String key) throws SQLException {
    long token = ThreadLocalRandom.current().nextLong();
    try (Connection connection = database.pool().getConnection()) {
      try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
        bindClaim(statement, key, token);
        statement.execute();
        ResultSet inserted = statement.getResultSet();
        if (inserted.next()) {
          return new Claimed(true, inserted.getLong(1), null);
        }
        statement.getMoreResults();
        ResultSet found = statement.getResultSet();
        found.next();
        found.getBoolean("granted");
        if (!found.wasNull()) {
          return new Claimed(false, 0, found.getBytes("body"));
        }
      }
      return takeOver(connection, key, token);
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return new Claimed(false, 0, null); // Another call has not committed its claim yet.
      }
      throw e;
    }
  }

  private void bindClaim(PreparedStatement statement, String key, long token) throws SQLException {
    BenchDatabase.bind(
        statement,
        Sample.TENANT,
        SCOPE,
        key,
        "rerun",
        FINGERPRINT,
        token,
        leaseMicros,
        leaseMicros + RETENTION_MICROS,
        "",
        Sample.TENANT,
        SCOPE,
        key,
        FINGERPRINT,
        Sample.TERMS.maxAttempts(),
        token,
        false,
        MAX_BODY,
        Sample.TENANT,
        SCOPE,
        key);
  }

  private Claimed takeOver(Connection connection, String key, long token) throws SQLException {
    int attempts = Sample.TERMS.maxAttempts();
    try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
      BenchDatabase.bind(
          statement,
          Sample.TENANT,
          SCOPE,
          key,
          FINGERPRINT,
          leaseMicros,
          RETENTION_MICROS,
          attempts,
          token);
      ResultSet row = statement.executeQuery();
      row.next();
      return row.getBoolean("granted")
          ? new Claimed(true, row.getLong("fence"), null)
          : new Claimed(false, 0, row.getBytes("body"));
    }
  }

  private void complete(String key, long fence, byte[] answer) throws SQLException {
    int changed =
        database.update(
            COMPLETE,
            "completed",
            0,
            "",
            "raw",
            (long) answer.length,
            answer,
            RETENTION_MICROS,
            Sample.TENANT,
            SCOPE,
            key,
            fence);
    if (changed != 1) {
      throw new IllegalStateException("not completed: " + key);
    }
  }

  private void read(String key) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      BenchDatabase.bind(statement, Sample.TENANT, SCOPE, key);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || row.getBytes("body").length != Sample.ANSWER.length) {
          throw new IllegalStateException("not found: " + key);
        }
      }
    }
  }
}
