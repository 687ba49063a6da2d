package dev.once.testkit;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A store that passes each call through {@link #around} on its way to a real store. */
abstract class InterceptedStore implements RecordStore {
  enum Call {
    CLAIM,
    RECONCILE,
    COMPLETE,
    RELEASE,
    RENEW,
    FIND
  }

  private final RecordStore store;

  InterceptedStore(RecordStore store) {
    this.store = store;
  }

  /** Answers {@code call}; {@code answer} calls the real store. */
  abstract <R> R around(Call call, Supplier<R> answer);

  @Override
  public Claim claim(ClaimRequest request) {
    return around(request.reconciling() ? Call.RECONCILE : Call.CLAIM, () -> store.claim(request));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    run(Call.COMPLETE, () -> store.complete(grant, outcome, retention));
  }

  @Override
  public void release(Claim.Granted grant) {
    run(Call.RELEASE, () -> store.release(grant));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    run(Call.RENEW, () -> store.renew(grant, lease));
  }

  @Override
  public Optional<RecordView> find(Key key) {
    return around(Call.FIND, () -> store.find(key));
  }

  private void run(Call call, Runnable action) {
    around(
        call,
        () -> {
          action.run();
          return call;
        });
  }
}
