package dev.once.testkit;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.Optional;

/**
 * Forwards every call to another store, which is a {@link RecordAdmin} too. For tests that override
 * some of them.
 */
public abstract class ForwardingRecordStore implements RecordStore, RecordAdmin {
  private final RecordStore store;

  protected ForwardingRecordStore(RecordStore store) {
    this.store = store;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return store.claim(request);
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    store.complete(grant, outcome, retention);
  }

  @Override
  public void release(Claim.Granted grant) {
    store.release(grant);
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    store.renew(grant, lease);
  }

  @Override
  public boolean reopen(Key key) {
    return admin().reopen(key);
  }

  @Override
  public boolean expire(Key key) {
    return admin().expire(key);
  }

  @Override
  public int purge(Purge purge) {
    return admin().purge(purge);
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return store.find(key);
  }

  private RecordAdmin admin() {
    return (RecordAdmin) store;
  }
}
