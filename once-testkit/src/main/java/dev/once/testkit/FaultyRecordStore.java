package dev.once.testkit;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Adds the faults of a {@link FaultPlan} to every call of a store. */
final class FaultyRecordStore implements RecordStore {
  private final RecordStore store;
  private final FaultPlan plan;

  FaultyRecordStore(RecordStore store, FaultPlan plan) {
    this.store = store;
    this.plan = plan;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    plan.sawLease(request.lease());
    return call("claim", () -> store.claim(request));
  }

  @Override
  public Claim reconcile(ClaimRequest request) {
    plan.sawLease(request.lease());
    return call("reconcile", () -> store.reconcile(request));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    call("complete", () -> store.complete(grant, outcome, retention));
  }

  @Override
  public void release(Claim.Granted grant) {
    call("release", () -> store.release(grant));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    plan.sawLease(lease);
    call("renew", () -> store.renew(grant, lease));
  }

  @Override
  public boolean reopen(Key key) {
    return call("reopen", () -> store.reopen(key));
  }

  @Override
  public boolean expire(Key key) {
    return call("expire", () -> store.expire(key));
  }

  @Override
  public int purge(Purge purge) {
    return call("purge", () -> store.purge(purge));
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return call("find", () -> store.find(key));
  }

  private void call(String name, Runnable call) {
    plan.before(name);
    call.run();
    plan.after(name);
  }

  private <T> T call(String name, Supplier<T> call) {
    plan.before(name);
    T answer = call.get();
    plan.after(name);
    return answer;
  }
}
