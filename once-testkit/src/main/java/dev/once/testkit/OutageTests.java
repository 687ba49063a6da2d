package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EngineEvent;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An outage of the store that is shorter than the lease costs time and nothing else. */
abstract class OutageTests extends EngineTests {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Longer than a heartbeat's interval, so that a renewal is due in between. */
  private static final Duration OUTAGE = Duration.ofMillis(900);

  private final Request<@Nullable String> keptRequest =
      request.withTerms(Terms.DEFAULT.withLease(LEASE).withRecovery(Recovery.ASK));

  OutageTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void recordsAnOutcomeOnceTheStoreIsBackWithinTheLease() {
    OutageStore store = new OutageStore(store());

    Result<@Nullable String> result =
        engine(store)
            .run(
                keptRequest,
                execution -> {
                  store.failFor(OUTAGE, Call.RENEW);
                  return charge(execution);
                });

    assertThat(result).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(store.failed(Call.COMPLETE)).isPositive();
    assertThat(store.failed(Call.RENEW)).as("heartbeats during the outage").isPositive();
    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
  }

  @Test
  void executesOnceForManyCallersWhileTheStoreIsAway() throws Exception {
    OutageStore store = new OutageStore(store());
    Once engine = engine(store);
    List<Future<@Nullable String>> callers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      callers.add(inBackground(() -> answerOfPatientCaller(engine, store)));
    }
    for (Future<@Nullable String> caller : callers) {
      assertThat(soon(caller)).isEqualTo("receipt 1");
    }

    assertThat(runs).hasValue(1);
    assertThat(recordNow().state()).isEqualTo(State.COMPLETED);
    assertThat(events.types()).doesNotContain(EngineEvent.OutcomeUnknown.class);
  }

  private @Nullable String answerOfPatientCaller(Once engine, OutageStore store)
      throws InterruptedException {
    Deadline deadline = Deadline.start();
    while (true) {
      deadline.leftMillis(() -> "no answer");
      try {
        Result<@Nullable String> result =
            engine.run(
                keptRequest,
                execution -> {
                  store.failFor(OUTAGE);
                  return charge(execution);
                });
        if (!(result instanceof Result.Held)) {
          return result.orThrow();
        }
      } catch (StoreException e) {
        // While the store is unavailable.
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
