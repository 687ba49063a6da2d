package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.Optional;

/** The in-memory store, with an action before a claim's answer or during a renewal. */
final class RenewingStore implements RecordStore {
  private final RecordStore records = new InMemoryRecordStore();
  private final Runnable duringRenewal;
  private Runnable afterClaim = () -> {};

  RenewingStore(Runnable duringRenewal) {
    this.duringRenewal = duringRenewal;
  }

  void afterClaim(Runnable action) {
    afterClaim = action;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    Claim claim = records.claim(request);
    afterClaim.run();
    return claim;
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    records.complete(grant, outcome, retention);
  }

  @Override
  public void release(Claim.Granted grant) {
    records.release(grant);
  }

  /** Renews grants that the in-memory store did not give too: the test made them. */
  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    if (!lease.isZero()) {
      duringRenewal.run();
    }
    if (records.find(grant.key()).isPresent()) {
      records.renew(grant, lease);
    }
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return records.find(key);
  }
}
