package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Recovery;
import dev.once.Terms;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** A claim on a key. Immutable; the {@code with} methods return a changed copy. */
public final class ClaimRequest {
  private final Key key;
  private final Fingerprint fingerprint;
  private final Duration lease;
  private final Duration retention;
  private final Recovery recovery;
  private final int maxAttempts;
  private final Headers correlation;
  private final boolean reconciling;
  private final long token;

  private ClaimRequest(
      Key key,
      Fingerprint fingerprint,
      Duration lease,
      Duration retention,
      Recovery recovery,
      int maxAttempts,
      Headers correlation,
      boolean reconciling,
      long token) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.lease = lease;
    this.retention = retention;
    this.recovery = recovery;
    this.maxAttempts = maxAttempts;
    this.correlation = correlation;
    this.reconciling = reconciling;
    this.token = token;
  }

  /** Returns a claim with a new token: without a fingerprint, to be rerun after a lapsed lease. */
  public static ClaimRequest of(Key key, Duration lease, Duration retention) {
    return new ClaimRequest(
        key,
        Fingerprint.NONE,
        lease,
        retention,
        Terms.DEFAULT.recovery(),
        Terms.DEFAULT.maxAttempts(),
        Headers.NONE,
        false,
        newToken());
  }

  /** Returns a claim with a new token, with the times and limits of {@code terms}. */
  public static ClaimRequest of(Key key, Fingerprint fingerprint, Terms terms) {
    return new ClaimRequest(
        key,
        fingerprint,
        terms.lease(),
        retention(terms),
        terms.recovery(),
        terms.maxAttempts(),
        Headers.NONE,
        false,
        newToken());
  }

  private static Duration retention(Terms terms) {
    boolean isLong = terms.retention().compareTo(Terms.MIN_UNDECIDED_RETENTION) >= 0;
    return isLong || terms.recovery() == Recovery.RERUN
        ? terms.retention()
        : Terms.MIN_UNDECIDED_RETENTION;
  }

  /** Returns which operation is claimed. */
  public Key key() {
    return key;
  }

  /** Returns what is requested. */
  public Fingerprint fingerprint() {
    return fingerprint;
  }

  /** Returns how long a grant lasts. */
  public Duration lease() {
    return lease;
  }

  /**
   * Returns how long the record is kept after its lease if it never completes, so that a lost owner
   * is noticed.
   */
  public Duration retention() {
    return retention;
  }

  /**
   * Returns what a lapsed lease of this grant means. A record that lapsed under {@link
   * Recovery#ASK} keeps that recovery when it is taken over.
   */
  public Recovery recovery() {
    return recovery;
  }

  /** Returns how many grants the record may have had for a lapsed lease to be taken over. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** Returns the ids to keep with the record. */
  public Headers correlation() {
    return correlation;
  }

  /**
   * Returns whether an uncertain record is granted too. For callers that can find out what
   * happened: they complete the grant if the effect happened and release it if it did not.
   */
  public boolean reconciling() {
    return reconciling;
  }

  /**
   * Returns what was chosen anew for this claim and is kept with its grant: by it the store
   * recognises a claim that is sent again because its answer was lost.
   */
  public long token() {
    return token;
  }

  public ClaimRequest withFingerprint(Fingerprint fingerprint) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  public ClaimRequest withRecovery(Recovery recovery) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  public ClaimRequest withMaxAttempts(int maxAttempts) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  public ClaimRequest withCorrelation(Headers correlation) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  public ClaimRequest withReconciling(boolean reconciling) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  /** Returns another claim on the same key. */
  public ClaimRequest withNewToken() {
    return withToken(newToken());
  }

  /**
   * Returns the claim with a token of the caller's choice, for callers that send a claim again from
   * elsewhere. Two owners of one key must never choose the same token: both would be granted it.
   */
  public ClaimRequest withToken(long token) {
    return with(fingerprint, recovery, maxAttempts, correlation, reconciling, token);
  }

  @Override
  public String toString() {
    return "claim of " + key;
  }

  private ClaimRequest with(
      Fingerprint fingerprint,
      Recovery recovery,
      int maxAttempts,
      Headers correlation,
      boolean reconciling,
      long token) {
    return new ClaimRequest(
        key, fingerprint, lease, retention, recovery, maxAttempts, correlation, reconciling, token);
  }

  private static long newToken() {
    return ThreadLocalRandom.current().nextLong();
  }
}
