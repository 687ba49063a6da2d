package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Execution;
import dev.once.Headers;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.spi.RecordView;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting for another call's result, and giving up, changes nothing. */
abstract class WaitTests extends EngineTests {
  private final Request<@Nullable String> patient =
      request.withTerms(Terms.DEFAULT.withMaxWait(Deadline.PATIENCE));

  private final Request<@Nullable String> hasty =
      request.withTerms(Terms.DEFAULT.withMaxWait(Duration.ofMillis(300)));

  private final Gate gate = new Gate();

  WaitTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void tellsADuplicateAtOnceThatTheKeyIsHeld() {
    ownElsewhere(request);
    ObservedStore observed = new ObservedStore(store());

    Result<@Nullable String> result = engine(observed).run(request, MUST_NOT_RUN);

    Duration left = ((Result.Held<@Nullable String>) result).leaseLeft();
    assertThat(left).isPositive().isLessThanOrEqualTo(request.terms().lease());
    assertThat(observed.calls()).containsExactly(Call.CLAIM);
  }

  @Test
  void givesAWaitingDuplicateTheOwnersResult() throws Exception {
    ObservedStore observed = new ObservedStore(store());
    Future<Result<@Nullable String>> owner =
        inBackground(() -> once.run(request, this::chargeAfterTheGate));
    gate.awaitReached();
    Future<Result<@Nullable String>> duplicate =
        inBackground(() -> engine(observed).run(patient, MUST_NOT_RUN));
    observed.await(Call.CLAIM, 2);

    gate.open();

    assertThat(soon(owner)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(soon(duplicate)).isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
  }

  @Test
  void leavesTheOwnersRecordAloneWhenTheWaitIsOver() {
    ownElsewhere(request);
    RecordView before = recordNow();
    ObservedStore observed = new ObservedStore(store());

    Result<@Nullable String> result = engine(observed).run(hasty, MUST_NOT_RUN);

    assertThat(result).isInstanceOf(Result.Held.class);
    assertThat(recordNow()).isEqualTo(before);
    assertThat(observed.calls()).containsOnly(Call.CLAIM);
  }

  @Test
  void asksRarelyWhileItWaits() {
    ownElsewhere(request);
    ObservedStore observed = new ObservedStore(store());

    engine(observed).run(hasty, MUST_NOT_RUN);

    // Pauses that double from 5 ms make about ten; a loop without them would make thousands.
    assertThat(observed.count(Call.CLAIM)).isLessThan(40);
  }

  @Test
  void takesOverWhenTheOwnerReleases() throws Exception {
    ObservedStore observed = new ObservedStore(store());
    Future<Result<@Nullable String>> owner = inBackground(() -> once.run(request, this::failed));
    gate.awaitReached();
    Future<Result<@Nullable String>> duplicate =
        inBackground(() -> engine(observed).run(patient, this::charge));
    observed.await(Call.CLAIM, 2);

    gate.open();

    assertThatThrownBy(() -> soon(owner)).hasRootCauseMessage("did not happen");
    assertThat(soon(duplicate)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  @Test
  void takesOverWhenTheOwnerVanishes() throws Exception {
    ownElsewhere(request);
    ObservedStore observed = new ObservedStore(store());
    Future<Result<@Nullable String>> duplicate =
        inBackground(() -> engine(observed).run(patient, this::charge));
    observed.await(Call.CLAIM, 2);

    elapse(request.terms().lease());

    assertThat(soon(duplicate)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  @Test
  void stopsWaitingWhenItIsInterrupted() throws Exception {
    ownElsewhere(request);
    InterruptingStore interrupting = new InterruptingStore(store());
    Future<Boolean> flag =
        inBackground(
            () -> {
              assertThat(engine(interrupting).run(patient, MUST_NOT_RUN))
                  .isInstanceOf(Result.Held.class);
              return Thread.interrupted();
            });

    assertThat(soon(flag)).as("the interrupt is still there").isTrue();
  }

  private @Nullable String chargeAfterTheGate(Execution execution) throws InterruptedException {
    gate.pass();
    return charge(execution);
  }

  private @Nullable String failed(Execution execution) throws InterruptedException {
    gate.pass();
    throw new IllegalStateException("did not happen");
  }
}
