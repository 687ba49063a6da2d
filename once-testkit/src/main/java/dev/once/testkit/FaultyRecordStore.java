package dev.once.testkit;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Adds the faults of a {@link FaultPlan} to every call of a store. */
final class FaultyRecordStore extends InterceptedStore {
  private final FaultPlan plan;

  FaultyRecordStore(RecordStore store, FaultPlan plan) {
    super(store);
    this.plan = plan;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    plan.sawLease(request.lease());
    return super.claim(request);
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    plan.sawLease(lease);
    super.renew(grant, lease);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    String name = call.name().toLowerCase(Locale.ROOT);
    plan.before(name);
    R given = answer.get();
    plan.after(name);
    return given;
  }
}
