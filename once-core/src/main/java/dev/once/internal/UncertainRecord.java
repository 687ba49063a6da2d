package dev.once.internal;

import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import java.util.Optional;

/** Claims an uncertain record for an operator, who then completes or releases it. */
public final class UncertainRecord {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RETENTION = Duration.ofHours(24);

  private UncertainRecord() {}

  /**
   * Returns a grant for {@code record}, so that no reconciler decides at the same moment; empty if
   * it is no longer the record that was uncertain, or another process decides.
   */
  public static Optional<Claim.Granted> claim(RecordStore store, RecordView record) {
    if (record.state() != State.UNCERTAIN) {
      return Optional.empty();
    }
    ClaimRequest request =
        ClaimRequest.of(record.key(), LEASE, RETENTION)
            .withFingerprint(record.fingerprint())
            .withRecovery(Recovery.ASK)
            .withCorrelation(record.correlation())
            .withReconciling(true);
    if (!(store.claim(request) instanceof Claim.Granted grant)) {
      return Optional.empty();
    }
    if (grant.attempt() != record.attempts() + 1) {
      store.release(grant); // The record expired, and this claim was a new one.
      return Optional.empty();
    }
    return Optional.of(grant);
  }
}
