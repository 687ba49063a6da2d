package dev.once.bench;

import dev.once.bench.IdempotentReceiver.Effect;
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

/**
 * Sends the statements of Once's store with plain JDBC. This measures the cost of database and
 * driver, which is the limit for any library that sends the statements one by one.
 */
final class ByHand {
  private static final String CLAIM = sqlOf("SingleClaim");
  private static final String COMPLETE = sqlOf("CompleteStatement");
  private static final String READ =
      "SELECT body, state, status, headers, body_form, body_bytes FROM once_record"
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

  static Contestant<IdempotentReceiver> contestant(BenchDatabase database, Duration lease) {
    ByHand hand = new ByHand(database, lease);
    return new Contestant<>(
        "by hand: the same statements",
        "2 commits; key stays, as an expired lease is not taken over; result replayed",
        IdempotentReceiver.of(hand::call, () -> database.completed("scope = '" + SCOPE + "'"))
            .replaying("one SELECT by primary key: reads, decides nothing", hand::read));
  }

  private Reply call(String key, Effect effect) throws Exception {
    long fence;
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      bindClaim(statement, key);
      statement.execute();
      ResultSet inserted = statement.getResultSet();
      if (!inserted.next()) {
        statement.getMoreResults();
        return known(statement.getResultSet());
      }
      fence = inserted.getLong(1);
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return new Reply.Busy(); // Another call has not committed its claim yet.
      }
      throw e;
    }
    String answer = effect.perform(OptionalLong.of(fence));
    complete(key, fence, answer.getBytes(StandardCharsets.UTF_8));
    return new Reply.Executed(answer);
  }

  private static Reply known(ResultSet found) throws SQLException {
    found.next();
    byte[] body = found.getBytes("body");
    return body == null
        ? new Reply.Busy()
        : new Reply.Replayed(new String(body, StandardCharsets.UTF_8));
  }

  private void bindClaim(PreparedStatement statement, String key) throws SQLException {
    long token = ThreadLocalRandom.current().nextLong();
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

  private void read(String key) {
    byte[] body = (byte[]) database.value(READ, Sample.TENANT, SCOPE, key);
    Sample.requireFound(key, body != null && body.length == Sample.ANSWER.length);
  }
}
