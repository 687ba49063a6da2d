package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.spi.State;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A grant that is given up stays given up, also in races and when a policy or listener throws. */
class GivingUpTest {
  private static final Key KEY = new Key("acme", "payments", "order-42");
  private static final Request<@Nullable String> CHARGE = Request.of(KEY, Codec.text());
  private static final Request<@Nullable String> ASKING =
      CHARGE.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK).withLease(Duration.ofSeconds(2)));

  @Test
  void letsARenewalInFlightLandBeforeItAbandonsTheGrant() {
    CountDownLatch renewing = new CountDownLatch(1);
    CountDownLatch failing = new CountDownLatch(1);
    RenewingStore store =
        new RenewingStore(
            () -> {
              renewing.countDown();
              await(failing);
            });

    try (Once once = Once.over(store)) {
      assertThatThrownBy(
              () ->
                  once.run(
                      ASKING,
                      execution -> {
                        await(renewing);
                        failing.countDown();
                        throw new IllegalStateException("line cut");
                      }))
          .hasMessage("line cut");

      assertThat(store.find(KEY).orElseThrow().state()).isEqualTo(State.UNCERTAIN);
    }
  }

  @Test
  void givesBackWhatWasGrantedWhileTheEngineClosed() {
    RenewingStore store = new RenewingStore(() -> {});
    Once once = Once.over(store);
    store.afterClaim(once::close);

    assertThatThrownBy(() -> once.run(CHARGE, execution -> "never"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");

    assertThat(store.find(KEY).orElseThrow().state()).isEqualTo(State.OPEN);
  }

  @Test
  void takesAPolicyThatThrowsWhatItWasAskedAboutForUnknown() {
    InMemoryRecordStore store = new InMemoryRecordStore();
    RuntimeException failure = new IllegalStateException("line cut");

    try (Once once = Once.over(store)) {
      assertThatThrownBy(
              () ->
                  once.run(
                      ASKING.withFailurePolicy(
                          thrown -> {
                            throw failure;
                          }),
                      execution -> {
                        throw failure;
                      }))
          .isSameAs(failure);

      assertThat(store.find(KEY).orElseThrow().state()).isEqualTo(State.UNCERTAIN);
    }
  }

  @Test
  void goesOnWhenListenerAndHandlerBothThrow() throws Exception {
    CompletableFuture<Result<@Nullable String>> result = new CompletableFuture<>();
    try (Once once =
        Once.over(
            new InMemoryRecordStore(),
            event -> {
              throw new IllegalStateException("listener");
            })) {
      Thread caller =
          new Thread(() -> result.complete(once.run(CHARGE, execution -> "receipt")), "caller");
      caller.setUncaughtExceptionHandler(
          (thread, failure) -> {
            throw new IllegalStateException("handler");
          });
      caller.start();

      assertThat(result.get(10, TimeUnit.SECONDS).orThrow()).isEqualTo("receipt");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
