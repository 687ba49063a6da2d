package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Recovery;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a caller tells the store when it asks to own a key.
 *
 * @param key which operation
 * @param fingerprint what is asked
 * @param lease how long a grant lasts
 * @param retention how long the record is kept after its lease if it never completes, so that a
 *     vanished owner is noticed
 * @param recovery what a lapsed lease of this grant means; taking over a lapsed record that must be
 *     asked about leaves it so
 * @param maxAttempts how many grants the record may have had for a lapsed lease to be taken over
 * @param correlation ids to keep with the record
 * @param token chosen anew for each claim and kept with its grant: a claim that is sent again,
 *     because its answer was lost, is recognised by it
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

  /** Another claim for the same. */
  public ClaimRequest withNewToken() {
    return new ClaimRequest(key, fingerprint, lease, retention, recovery, maxAttempts, correlation);
  }
}
