package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.EffectState;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Result;
import dev.once.testkit.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt is charged only after the attempt before it was declined. */
class PaymentAttemptsTest {
  private static final PaymentRequest FIRST =
      new PaymentRequest(
          "acme", "momo", "o-17", Amount.of("1000", "RWF"), Instrument.card("tok_1"));
  private static final PaymentRequest SECOND =
      FIRST.withAttempt(2).withPayer(Instrument.card("tok_2"));
  private static final Reconciler<@Nullable String> UNKNOWN = it -> EffectState.unknown();
  private static final Duration DAYS_29 = Duration.ofDays(29);
  private static final Duration DAYS_31 = Duration.ofDays(31);

  private final TestClock clock = new TestClock();
  private final Once once = Once.over(new InMemoryRecordStore(clock));
  private final Payments payments = Payments.over(once);
  private final List<PaymentRequest> charges = new ArrayList<>();

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void aSecondAttemptIsChargedAfterTheFirstWasDeclined() {
    request(FIRST, it -> "declined");

    assertThat(pay(SECOND)).isInstanceOf(Result.Executed.class);
    assertThat(pay(SECOND)).isInstanceOf(Result.Replayed.class);
    assertThat(pay(FIRST).orThrow()).isEqualTo("declined");
    assertThat(charges).containsExactly(SECOND);
  }

  @Test
  void aSecondAttemptIsRefusedWithoutAFirst() {
    assertRefused(SECOND);

    pay(FIRST);
    assertRefused(SECOND);
    assertThat(charges).containsExactly(FIRST);
  }

  @Test
  void aSecondAttemptIsRefusedAfterTheFirstWasPaid() {
    pay(FIRST);

    assertRefused(SECOND);
    assertThat(charges).containsExactly(FIRST);
  }

  @Test
  void aSecondAttemptIsRefusedWhileTheOutcomeOfTheFirstIsUnknownAndBindsNoPayer()
      throws IOException {
    assertThatThrownBy(() -> request(FIRST, it -> lose())).isInstanceOf(IOException.class);

    assertRefused(SECOND);

    // The provider says that it declined the first: another card may pay the second.
    Reconciler<@Nullable String> declined = it -> EffectState.failed("declined");
    assertThat(payments.request(FIRST, Codec.text(), it -> lose(), declined).orThrow())
        .isEqualTo("declined");
    assertThat(pay(SECOND.withPayer(Instrument.card("tok_3")))).isInstanceOf(Result.Executed.class);
  }

  @Test
  void aSecondAttemptIsRefusedIfTheFirstDidNotHappenBecauseItStillCould() {
    assertThatThrownBy(() -> request(FIRST, it -> lose())).isInstanceOf(IOException.class);
    Reconciler<@Nullable String> nothing = it -> EffectState.didNotHappen();
    assertThatThrownBy(() -> payments.request(FIRST, Codec.text(), it -> lose(), nothing))
        .isInstanceOf(IOException.class);

    assertRefused(SECOND);
  }

  @Test
  void aSecondAttemptIsRefusedWhileTheFirstIsBeingCharged() throws Exception {
    CountDownLatch charging = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Result<@Nullable String>> first =
        thread.submit(
            () ->
                request(
                    FIRST,
                    it -> {
                      charging.countDown();
                      mayEnd.await();
                      return "declined";
                    }));
    assertThat(charging.await(30, TimeUnit.SECONDS)).isTrue();

    assertRefused(SECOND);

    mayEnd.countDown();
    first.get(30, TimeUnit.SECONDS);
    thread.shutdown();
    assertThat(pay(SECOND)).isInstanceOf(Result.Executed.class);
  }

  @Test
  void noAttemptIsSkipped() {
    request(FIRST, it -> "declined");

    assertRefused(SECOND.withAttempt(3));
    request(SECOND, it -> "declined");
    assertThat(pay(SECOND.withAttempt(3))).isInstanceOf(Result.Executed.class);
  }

  @Test
  void aSecondAttemptIsRefusedIfItIsForgottenThatTheFirstWasDeclined() {
    request(FIRST, it -> "declined");
    clock.advance(DAYS_31);

    assertRefused(SECOND);
    assertThat(charges).isEmpty();
  }

  @Test
  void chargesNoOtherPayerForAsLongAsTheFirstPaymentIsRemembered() throws IOException {
    loseFirst(payments);
    clock.advance(DAYS_29);
    Reconciler<@Nullable String> paid = it -> EffectState.happened("paid");
    assertThat(payments.request(FIRST, Codec.text(), it -> lose(), paid).orThrow())
        .isEqualTo("paid");
    clock.advance(DAYS_29);

    assertThat(pay(FIRST.withPayer(Instrument.card("tok_2"))))
        .isInstanceOf(Result.Mismatched.class);
    assertThat(pay(FIRST)).isInstanceOf(Result.Replayed.class);
    assertThat(charges).isEmpty();
  }

  @Test
  void chargesNoOtherPayerWhileItIsNotKnownWhetherTheFirstHasPaid() throws IOException {
    Payments forgetful =
        payments.withTerms(Payments.TERMS.withRetention(Duration.ofHours(1), Duration.ofHours(1)));
    loseFirst(forgetful);
    clock.advance(DAYS_29);

    Result<@Nullable String> other =
        forgetful.request(
            FIRST.withPayer(Instrument.card("tok_2")), Codec.text(), it -> "paid", UNKNOWN);

    assertThat(other).isInstanceOf(Result.Mismatched.class);
  }

  @Test
  void chargesAtNoOtherProviderWithoutADecline() throws IOException {
    loseFirst(payments);
    PaymentRequest elsewhere = at("stripe", Instrument.card("tok_2"), 1);

    assertThat(pay(elsewhere)).isInstanceOf(Result.Mismatched.class);
    assertRefused(elsewhere.withAttempt(2));
    Reconciler<@Nullable String> declined = it -> EffectState.failed("declined");
    payments.request(FIRST, Codec.text(), it -> lose(), declined);

    assertThat(pay(elsewhere)).isInstanceOf(Result.Mismatched.class);
    assertThat(pay(elsewhere.withAttempt(2))).isInstanceOf(Result.Executed.class);
    assertThat(pay(at("momo", FIRST.payer(), 2))).isInstanceOf(Result.Mismatched.class);
  }

  private static PaymentRequest at(String provider, Instrument payer, int attempt) {
    return new PaymentRequest(
        FIRST.tenant(), provider, FIRST.order(), FIRST.amount(), payer, attempt);
  }

  private void loseFirst(Payments by) {
    assertThatThrownBy(() -> by.request(FIRST, Codec.text(), it -> lose(), UNKNOWN))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aDeclineOfWhichTheProcessKnewNothingIsRecordedByTheNextRequestForIt() throws IOException {
    payments.request(FIRST, Codec.text(), it -> "declined", UNKNOWN);
    assertRefused(SECOND);

    request(FIRST, it -> lose());

    assertThat(pay(SECOND)).isInstanceOf(Result.Executed.class);
  }

  @Test
  void aDeclinedOrderOfAnotherAmountSaysNothing() {
    request(FIRST, it -> "declined");
    PaymentRequest other =
        new PaymentRequest(
            "acme", "momo", "o-17", Amount.of("1001", "RWF"), Instrument.card("tok_1"), 2);

    assertRefused(other);
  }

  private void assertRefused(PaymentRequest attempt) {
    assertThat(pay(attempt)).isInstanceOf(Result.Uncertain.class);
    assertThat(charges).doesNotContain(attempt);
  }

  private Result<@Nullable String> pay(PaymentRequest request) {
    return request(
        request,
        it -> {
          charges.add(request);
          return "paid";
        });
  }

  private <X extends Exception> Result<@Nullable String> request(
      PaymentRequest request, Effect<@Nullable String, X> charge) throws X {
    return payments.request(request, Codec.text(), charge, UNKNOWN, "declined"::equals);
  }

  private static String lose() throws IOException {
    throw new IOException("connection reset");
  }
}
