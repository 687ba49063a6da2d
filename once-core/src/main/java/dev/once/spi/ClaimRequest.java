package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Recovery;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A claim on a key.
 *
 * @param key which operation
 * @param fingerprint what is requested
 * @param lease how long a grant lasts
 * @param retention how long the record is kept after its lease if it never completes, so that a
 *     lost owner is noticed
 * @param recovery what a lapsed lease of this grant means; a record that lapsed under {@link
 *     Recovery#ASK} keeps that recovery when it is taken over
 * @param maxAttempts how many grants the record may have had for a lapsed lease to be taken over
 * @param correlation ids to keep with the record
 * @param token chosen anew for each claim and kept with its grant: by it the store recognises a
 *     claim that is sent again because its answer was lost
 */
public record ClaimRequest(
    Key key,
    Fingerprint fingerprint,
    Duration lease,
    Duration retention,
    Recovery recovery,
    int maxAttempts,
    Headers correlation,
    long token) {
  /** A claim with a new token. */
  public ClaimRequest(
      Key key,
      Fingerprint fingerprint,
      Duration lease,
      Duration retention,
      Recovery recovery,
      int maxAttempts,
      Headers correlation) {
    this(
        key,
        fingerprint,
        lease,
        retention,
        recovery,
        maxAttempts,
        correlation,
        ThreadLocalRandom.current().nextLong());
  }

  /** Returns another claim on the same key. */
  public ClaimRequest withNewToken() {
    return new ClaimRequest(key, fingerprint, lease, retention, recovery, maxAttempts, correlation);
  }
}
