package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.UUID;

/** An ordinary claim, which a test changes as needed and sends to a store. */
record TestClaim(ClaimRequest request) {
  static final Duration LEASE = Duration.ofMinutes(10);
  static final Duration RETENTION = Duration.ofHours(24);

  /** How long the record of a claim lasts that is never completed or renewed. */
  static final Duration LIFETIME = LEASE.plus(RETENTION);

  static final Fingerprint FINGERPRINT = Fingerprint.sha256("POST", "/v1/payments", "amount=100");
  static final Fingerprint OTHER_FINGERPRINT =
      Fingerprint.sha256("POST", "/v1/payments", "amount=999");

  /** For a new key of a new tenant. */
  static TestClaim forNewKey() {
    return forKey(new Key("tenant-" + UUID.randomUUID(), "api:POST:/v1/payments", "key-1"));
  }

  static TestClaim forKey(Key key) {
    return new TestClaim(ClaimRequest.of(key, LEASE, RETENTION).withFingerprint(FINGERPRINT));
  }

  /** Returns a new claim each time, with a token of its own. */
  @Override
  public ClaimRequest request() {
    return request.withNewToken();
  }

  Key key() {
    return request.key();
  }

  /** Claims and expects a grant. */
  Claim.Granted grantedBy(RecordStore store) {
    return granted(store.claim(request()));
  }

  /** Claims to reconcile and expects a grant. */
  Claim.Granted reconciledBy(RecordStore store) {
    return granted(store.claim(request().withReconciling(true)));
  }

  /** The record of this key, which has to exist. */
  RecordView viewIn(RecordStore store) {
    return store.find(key()).orElseThrow(() -> new AssertionError("no record of " + key()));
  }

  TestClaim withKey(Key key) {
    return copy(key, request.lease(), request.retention());
  }

  TestClaim withFingerprint(Fingerprint fingerprint) {
    return new TestClaim(request.withFingerprint(fingerprint));
  }

  TestClaim withTimes(Duration lease, Duration retention) {
    return copy(key(), lease, retention);
  }

  TestClaim withRecovery(Recovery recovery) {
    return new TestClaim(request.withRecovery(recovery));
  }

  TestClaim withMaxAttempts(int maxAttempts) {
    return new TestClaim(request.withMaxAttempts(maxAttempts));
  }

  TestClaim withCorrelation(Headers correlation) {
    return new TestClaim(request.withCorrelation(correlation));
  }

  private TestClaim copy(Key key, Duration lease, Duration retention) {
    return new TestClaim(
        ClaimRequest.of(key, lease, retention)
            .withFingerprint(request.fingerprint())
            .withRecovery(request.recovery())
            .withMaxAttempts(request.maxAttempts())
            .withCorrelation(request.correlation()));
  }

  private static Claim.Granted granted(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return (Claim.Granted) claim;
  }
}
