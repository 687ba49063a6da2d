package dev.once.bench;

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
final class ByHand implements Contestant {
  /** The same texts that the store sends; a test compares them. */
  static final String CLAIM =
      """
      INSERT INTO once_record AS r (
        tenant, scope, key, format, state, recovery, fingerprint, fence, token, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
      SELECT
        ?, ?, ?, 1, 'in_progress', ?, ?, (extract(epoch FROM t.now) * 1000000)::bigint, ?, 1, t.now,
        t.now + ? * interval '1 microsecond', t.now + ? * interval '1 microsecond', ?, 0, '', 'none',
        0
      FROM (SELECT statement_timestamp() AS now, set_config('lock_timeout', '100ms', true)) AS t
      WHERE pg_try_advisory_xact_lock(once_lock(?, ?, ?))
      ON CONFLICT DO NOTHING
      RETURNING r.fence;
      SELECT
        (extract(epoch FROM t.now) * 1000000)::bigint AS now_micros,
        current_setting('transaction_isolation') = 'read committed' AS is_current,
        r.key IS NOT NULL AS found,
        CASE WHEN once_answers(r, t.fingerprint, t.max_attempts, t.token, t.reconciling, t.now)
             THEN false END AS granted,
        r.fence, r.attempts, r.format, r.state, r.fingerprint = t.fingerprint AS matches,
        r.token = t.token AS same_claim,
        (extract(epoch FROM r.lease_until - t.now) * 1000000)::bigint AS lease_left_micros,
        r.correlation, r.status, r.headers, r.body_form, r.body_bytes,
        octet_length(r.body) AS stored_bytes,
        CASE WHEN octet_length(r.body) <= t.max_body THEN r.body END AS body
      FROM (SELECT clock_timestamp() AS now, ?::text AS fingerprint, ?::integer AS max_attempts,
                   ?::bigint AS token, ?::boolean AS reconciling, ?::integer AS max_body) AS t
      LEFT JOIN once_record AS r ON r.tenant = ? AND r.scope = ? AND r.key = ?\
      """;

  /** For a record that neither inserts nor answers: an expired lease, for example. */
  private static final String TAKE_OVER =
      """
      SELECT * FROM once_claim(
        ?, ?, ?, ?, ? * interval '1 microsecond', ? * interval '1 microsecond', 'rerun', ?, '', ?,
        false, 65536)
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

  private static final int MAX_BODY = 65_536;
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

  /** The row that the claim returned. */
  @SuppressWarnings("ArrayRecordComponent") // Instances are never compared.
  private record Claimed(boolean granted, long fence, byte @Nullable [] answer) {}

  private Claimed claim(String key) throws SQLException {
    long token = ThreadLocalRandom.current().nextLong();
    try (Connection connection = database.pool().getConnection()) {
      try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
        bind(statement, key, token);
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
    }
  }

  private void bind(PreparedStatement statement, String key, long token) throws SQLException {
    statement.setString(1, Sample.TENANT);
    statement.setString(2, SCOPE);
    statement.setString(3, key);
    statement.setString(4, "rerun");
    statement.setString(5, FINGERPRINT);
    statement.setLong(6, token);
    statement.setLong(7, leaseMicros);
    statement.setLong(8, leaseMicros + RETENTION_MICROS);
    statement.setString(9, "");
    statement.setString(10, Sample.TENANT);
    statement.setString(11, SCOPE);
    statement.setString(12, key);
    statement.setString(13, FINGERPRINT);
    statement.setInt(14, Sample.TERMS.maxAttempts());
    statement.setLong(15, token);
    statement.setBoolean(16, false);
    statement.setInt(17, MAX_BODY);
    statement.setString(18, Sample.TENANT);
    statement.setString(19, SCOPE);
    statement.setString(20, key);
  }

  private Claimed takeOver(Connection connection, String key, long token) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
      statement.setString(1, Sample.TENANT);
      statement.setString(2, SCOPE);
      statement.setString(3, key);
      statement.setString(4, FINGERPRINT);
      statement.setLong(5, leaseMicros);
      statement.setLong(6, RETENTION_MICROS);
      statement.setInt(7, Sample.TERMS.maxAttempts());
      statement.setLong(8, token);
      ResultSet row = statement.executeQuery();
      row.next();
      return row.getBoolean("granted")
          ? new Claimed(true, row.getLong("fence"), null)
          : new Claimed(false, 0, row.getBytes("body"));
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

  /** Reads a row by primary key, without deciding anything. */
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
