package dev.once.testkit;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.testkit.ChaosLedger.Operation;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** After a campaign, without any faults, reads every outcome again. */
final class ChaosVerifier {
  private static final int TRIES = 20;
  private static final byte[] SETTLED = new byte[0];

  private final Once engine;
  private final ChaosLedger ledger;
  private final Terms terms;

  ChaosVerifier(Once engine, ChaosLedger ledger, Duration lease) {
    this.engine = engine;
    this.ledger = ledger;
    this.terms =
        Terms.DEFAULT
            .withLease(lease)
            .withMaxAttempts(Terms.MAX_ATTEMPTS)
            .withMaxWait(lease.multipliedBy(2));
  }

  void verify() throws InterruptedException {
    for (Operation operation : ledger.operations()) {
      operation.check();
      if (!operation.key().scope().equals(ChaosKeys.SHORT_LIVED)) {
        verify(operation.key(), operation.acknowledged());
      }
    }
  }

  private void verify(Key key, @Nullable Long acknowledged) throws InterruptedException {
    Result<byte @Nullable []> result = ask(key);
    if (result instanceof Result.Replayed<byte @Nullable []> it) {
      verify(key, acknowledged, Objects.requireNonNullElse(it.value(), SETTLED));
    } else if (!(result instanceof Result.Executed)) {
      ledger.violation(key + " is left without an owner: " + result);
    } else if (acknowledged != null) {
      ledger.violation(key + " was answered with fence " + acknowledged + ", which is lost");
    } else {
      ledger.count("settled");
    }
  }

  private void verify(Key key, @Nullable Long acknowledged, byte[] value) {
    if (acknowledged == null && value.length == 0) {
      ledger.count("settled");
    } else if (!ChaosPayload.isWhole(key, value)) {
      ledger.violation(key + " is replayed with other bytes than its effect's");
    } else if (acknowledged != null && acknowledged != ChaosPayload.fenceOf(value)) {
      ledger.violation(
          "%s was answered with fence %d and is replayed with %d"
              .formatted(key, acknowledged, ChaosPayload.fenceOf(value)));
    } else {
      ledger.count("verified");
    }
  }

  /** Gives an operation for which no caller got an answer a value of its own. */
  private Result<byte @Nullable []> ask(Key key) throws InterruptedException {
    Request<byte @Nullable []> plain = Request.of(key, Codec.bytes());
    Request<byte @Nullable []> request =
        plain.withTerms(terms).withReconciler(execution -> EffectState.happened(SETTLED));
    for (int tries = 1; ; tries++) {
      try {
        return engine.run(request, execution -> SETTLED);
      } catch (StoreException e) {
        if (tries == TRIES) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }
}
