package dev.once.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An application that claims and completes keys; an operator looks at its records. */
final class CliRecords implements AutoCloseable {
  static final Fingerprint FINGERPRINT = Fingerprint.sha256("POST", "/charges");

  private static final Duration HOUR = Duration.ofHours(1);

  private final CliDatabase database;
  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  CliRecords(CliDatabase database) {
    this.database = database;
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    this.store = JdbcRecordStore.over(pool);
  }

  JdbcRecordStore store() {
    return store;
  }

  static Key key(String value) {
    return new Key("acme", "charges", value);
  }

  static ClaimRequest request(Key key) {
    return ClaimRequest.of(key, HOUR, HOUR)
        .withFingerprint(FINGERPRINT)
        .withCorrelation(Headers.NONE.with("request_id", "r-1"));
  }

  Claim.Granted claim(Key key) {
    return (Claim.Granted) store.claim(request(key));
  }

  void complete(Key key, String body) {
    Headers headers = Headers.NONE.with("Location", "/charges/1");
    Payload payload = Payload.of(body.getBytes(StandardCharsets.UTF_8));
    store.complete(claim(key), new Outcome(false, 201, headers, payload), HOUR);
  }

  /** Leaves a record behind whose owner is gone, and whose effect must not be repeated. */
  void leaveUncertain(Key key) {
    var unused = store.claim(request(key).withRecovery(Recovery.ASK));
    letLeaseEnd();
  }

  void letLeaseEnd() {
    database.execute("UPDATE once_record SET lease_until = clock_timestamp()");
  }

  @Override
  public void close() {
    pool.close();
  }
}
