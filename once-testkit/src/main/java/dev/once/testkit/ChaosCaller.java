package dev.once.testkit;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.OutcomeUnknownException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.testkit.ChaosLedger.Ending;
import dev.once.testkit.ChaosLedger.Operation;
import dev.once.testkit.ChaosLedger.Run;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Calls one operation after another, on a thread that is interrupted at random. */
final class ChaosCaller {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A call that takes longer counts as hung. */
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static final int MAX_PAYLOAD_BYTES = 16 << 20;
  private static final Duration SHORT_RETENTION = Duration.ofSeconds(1);
  private static final long LONGEST_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PART_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long AFTER_EFFECT_NANOS = TimeUnit.MICROSECONDS.toNanos(600);
  private static final int AFTER_EFFECT_ODDS = 6;

  /** One in so many effects of a slow slot outlasts its lease. */
  private static final int SLOW_ODDS = 4;

  private final Once engine;
  private final InterruptStorm.Caller interrupts;
  private final ChaosKeys keys;
  private final ChaosLedger ledger;
  private final Duration lease;
  private final SplittableRandom random;
  private final long endNanos;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Call call;

  ChaosCaller(
      Once engine,
      InterruptStorm.Caller interrupts,
      ChaosKeys keys,
      ChaosLedger ledger,
      Duration lease,
      SplittableRandom random,
      long endNanos) {
    this.engine = engine;
    this.interrupts = interrupts;
    this.keys = keys;
    this.ledger = ledger;
    this.lease = lease;
    this.random = random;
    this.endNanos = endNanos;
  }

  void start(ThreadFactory factory) {
    Thread started = factory.newThread(this::callUntilTheEnd);
    thread = started;
    started.start();
  }

  /** Reports a call that takes too long, once. */
  void checkHang() {
    Call current = call;
    Thread caller = thread;
    boolean late = current != null && System.nanoTime() - current.startNanos > BOUND.toNanos();
    if (current != null && caller != null && late && !current.reported) {
      current.reported = true;
      ledger.violation(
          "the call of %s hangs at %s"
              .formatted(current.operation.key(), Arrays.toString(caller.getStackTrace())));
    }
  }

  void awaitEnd() throws InterruptedException {
    Thread caller = thread;
    if (caller != null) {
      caller.join(BOUND.toMillis());
      checkHang();
    }
  }

  private void callUntilTheEnd() {
    while (System.nanoTime() - endNanos < 0) {
      ChaosKeys.Slot slot = keys.slot(random);
      Call next = new Call(slot, ledger.operation(slot.key()));
      ledger.count("calls");
      interrupts.begin();
      call = next;
      boolean mayTakeInterruptsBack = next.make();
      call = null;
      if (!interrupts.end() && !mayTakeInterruptsBack) {
        ledger.violation("an interrupt was lost or made up by a call of " + next.operation.key());
      }
      LockSupport.parkNanos(random.nextLong(LONGEST_THINK_NANOS));
    }
  }

  /** One call. */
  private final class Call {
    private final ChaosKeys.Slot slot;
    private final Operation operation;
    private final long startNanos = System.nanoTime();
    private volatile boolean reported;
    private @Nullable Run run;
    private boolean leaseLost;

    Call(ChaosKeys.Slot slot, Operation operation) {
      this.slot = slot;
      this.operation = operation;
    }

    /** Returns whether the lease was lost: the engine interrupts the effect in that case. */
    boolean make() {
      try {
        answered(engine.run(request(), this::effect));
      } catch (DidNotHappen e) {
        ledger.count("aborted");
        end(Ending.DID_NOT_HAPPEN);
      } catch (LeaseLostException e) {
        ledger.count("leaseLost");
        end(Ending.LEASE_LOST);
        return true;
      } catch (OutcomeUnknownException e) {
        ledger.unknown(e);
        end(Ending.OUTCOME_UNKNOWN);
        return true;
      } catch (StoreException e) {
        ledger.count("storeFailed");
        requireNotExecuted(e);
        // A caller that retries at once takes processor time from the heartbeats.
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (RuntimeException | Error e) {
        ledger.violation("the call of " + operation.key() + " threw " + e);
      }
      return leaseLost;
    }

    private Request<byte @Nullable []> request() {
      Terms terms =
          Terms.DEFAULT
              .withLease(lease)
              .withMaxAttempts(Terms.MAX_ATTEMPTS)
              .withMaxPayloadBytes(MAX_PAYLOAD_BYTES)
              .withRecovery(slot.asks() ? Recovery.ASK : Recovery.RERUN)
              .withMaxWait(random.nextBoolean() ? Duration.ZERO : lease.dividedBy(4));
      Request<byte @Nullable []> request = Request.of(operation.key(), Codec.bytes());
      return request
          .withTerms(
              slot.isShortLived() ? terms.withRetention(SHORT_RETENTION, SHORT_RETENTION) : terms)
          .withFailurePolicy(failure -> EffectState.didNotHappen())
          .withReconciler(this::reconcile);
    }

    private EffectState<byte @Nullable []> reconcile(Execution execution) {
      ledger.count("reconciled");
      Long fence = operation.lastExecuted();
      return fence == null ? EffectState.didNotHappen() : EffectState.happened(value(fence));
    }

    private byte[] value(long fence) {
      return ChaosPayload.of(
          operation.key(), fence, slot.payloadBytes(new SplittableRandom(fence)));
    }

    private byte @Nullable [] effect(Execution execution) {
      Run begun = operation.begin(execution.fence(), startNanos + lease.toNanos());
      run = begun;
      long part =
          slot.isSlow() && random.nextInt(SLOW_ODDS) == 0 ? lease.toNanos() : LONGEST_PART_NANOS;
      boolean interrupted = isInterruptedWithin(random.nextLong(part));
      leaseLost = execution.leaseLost();
      if (interrupted || leaseLost) {
        throw new DidNotHappen();
      }
      operation.execute(begun);
      pause(random.nextLong(part));
      leaseLost = execution.leaseLost();
      if (random.nextInt(AFTER_EFFECT_ODDS) == 0) {
        interrupts.interruptWithin(AFTER_EFFECT_NANOS);
      }
      return value(execution.fence());
    }

    /** An interrupt ends the effect before it takes place. */
    private static boolean isInterruptedWithin(long nanos) {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    }

    private static void pause(long nanos) {
      long end = System.nanoTime() + nanos;
      boolean interrupted = false;
      for (long left = nanos; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void answered(Result<byte @Nullable []> result) {
      if (result instanceof Result.Executed<byte @Nullable []> it) {
        ledger.count("executed");
        accept(it.value());
        end(Ending.ACKNOWLEDGED);
        slot.answered(random);
      } else if (result instanceof Result.Replayed<byte @Nullable []> it) {
        ledger.count("replayed");
        accept(it.value());
        slot.answered(random);
      } else if (result instanceof Result.Held) {
        ledger.count("held");
      } else {
        ledger.violation("the call of " + operation.key() + " was answered " + result);
      }
    }

    private void accept(byte @Nullable [] value) {
      if (value == null || !ChaosPayload.isWhole(operation.key(), value)) {
        ledger.violation(operation.key() + " was answered with other bytes than its effect's");
      } else {
        operation.acknowledge(ChaosPayload.fenceOf(value));
      }
    }

    private void requireNotExecuted(StoreException failure) {
      Run begun = run;
      if (begun != null && begun.executed()) {
        ledger.violation(operation.key() + " was executed, but its caller got " + failure);
      }
    }

    private void end(Ending ending) {
      Run begun = run;
      if (begun != null) {
        operation.end(begun, ending);
      }
    }
  }

  /** Thrown by an effect that gives up before it takes place. */
  private static final class DidNotHappen extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
