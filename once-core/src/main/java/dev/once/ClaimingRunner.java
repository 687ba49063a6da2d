package dev.once;

import dev.once.spi.Claim;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Claims a key, and executes the effect under the grant or answers from the record. */
final class ClaimingRunner implements EffectRunner {
  private final ClaimSender claims;
  private final EngineEventPublisher publisher;
  private final Runner runner;
  private final Heartbeat heartbeat;
  private final AdmissionControl admissionControl;

  ClaimingRunner(
      ClaimSender claims,
      EngineEventPublisher publisher,
      Runner runner,
      Heartbeat heartbeat,
      AdmissionControl admissionControl) {
    this.claims = claims;
    this.publisher = publisher;
    this.runner = runner;
    this.heartbeat = heartbeat;
    this.admissionControl = admissionControl;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      Request<T> request, Effect<T, X> effect) throws X {
    heartbeat.requireOpen();
    ClaimAttempt claimAttempt = claim(request);
    try {
      if (claimAttempt.claim() instanceof Claim.Granted grant) {
        return claimAttempt.reconciling()
            ? runner.reconcile(grant, claimAttempt.sentNanos(), request, effect)
            : runner.execute(grant, claimAttempt.sentNanos(), request, effect);
      }
      return answer(claimAttempt.claim(), request);
    } finally {
      claimAttempt.permit().close();
    }
  }

  ClaimAttempt claim(Request<?> request) {
    return claim(request, () -> CompletionWait.claim(request, claims, admissionControl));
  }

  /** Claims after an earlier claim has found the key held. */
  ClaimAttempt claimAgain(Request<?> request, Duration leaseLeft) {
    long now = System.nanoTime();
    ClaimAttempt held = new ClaimAttempt(new Claim.Held(leaseLeft), now, false, Permit.NONE);
    return claim(
        request, () -> CompletionWait.claimAgain(held, now, request, claims, admissionControl));
  }

  private ClaimAttempt claim(Request<?> request, Supplier<ClaimAttempt> claim) {
    try {
      return claim.get();
    } catch (UnreadableOutcomeException e) {
      publisher.publish(new EngineEvent.Unreadable(request.key(), e.keyId(), e));
      throw e;
    } catch (TenantLimitException e) {
      publisher.publish(new EngineEvent.Limited(request.key(), e.limit()));
      throw e;
    }
  }

  <T extends @Nullable Object> Result<T> answer(Claim claim, Request<T> request) {
    Key key = request.key();
    if (claim instanceof Claim.Replay it) {
      publisher.publish(new EngineEvent.Replayed(key, it.correlation()));
      Outcome outcome = it.outcome();
      if (outcome.payload() instanceof Payload.Dropped gone) {
        return new Result.Dropped<>(key, gone.size());
      }
      T value = request.codec().decode(outcome);
      return new Result.Replayed<>(key, value, it.correlation(), outcome.failed());
    }
    if (claim instanceof Claim.Held it) {
      publisher.publish(new EngineEvent.Held(key, it.leaseLeft()));
      return new Result.Held<>(key, it.leaseLeft());
    }
    if (claim instanceof Claim.Mismatched) {
      publisher.publish(new EngineEvent.Mismatched(key));
      return new Result.Mismatched<>(key);
    }
    if (claim instanceof Claim.Uncertain) {
      publisher.publish(new EngineEvent.Uncertain(key));
      return new Result.Uncertain<>(key);
    }
    throw new AssertionError("unhandled claim " + claim);
  }
}
