package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Result;
import dev.once.Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaymentsTest {
  private static final Phone PHONE = Phone.of("+250788123456");
  private static final Reconciler<@Nullable String> UNKNOWN = it -> EffectState.unknown();
  private static final Reconciler<@Nullable String> SENT = it -> EffectState.happened("sent");

  private final Once once = Once.over(new InMemoryRecordStore());
  private final Payments payments = Payments.over(once);
  private final List<String> charges = new ArrayList<>();
  private int asked;

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void chargesOnceHoweverTheAmountAndThePhoneAreWritten() {
    Result<@Nullable String> first = charge("1000", "RWF", PHONE);
    Result<@Nullable String> second = charge("1000.00", "RWF", Phone.of("0788 123 456", "RW"));
    Result<@Nullable String> third = charge("1e3", "RWF", Phone.of("00250788123456"));

    assertThat(first).isInstanceOf(Result.Executed.class);
    assertThat(List.of(second, third)).allMatch(it -> it instanceof Result.Replayed);
    assertThat(third.orThrow()).isEqualTo("receipt 1");
    assertThat(charges).hasSize(1);
  }

  @Test
  void takesAnotherAmountForAnotherPayment() {
    charge("1000", "RWF", PHONE);
    charge("1001", "RWF", PHONE);

    assertThat(charges).hasSize(2);
  }

  @Test
  void chargesNoOtherPhoneOrCardForTheSameOrder() {
    PaymentRequest byPhone = request("1000", "RWF", PHONE);
    pay(byPhone);

    assertThat(charge("1000", "RWF", Phone.of("+250788999956")))
        .isInstanceOf(Result.Mismatched.class);
    assertThat(pay(byPhone.withPayer(Instrument.card("tok_1"))))
        .isInstanceOf(Result.Mismatched.class);
    assertThat(charges).hasSize(1);
  }

  @Test
  void chargesNoOtherCardWhileTheOutcomeOfTheFirstIsUncertain() {
    PaymentRequest first = request("1000", "RWF", PHONE).withPayer(Instrument.card("tok_1"));
    assertThatThrownBy(
        () -> payments.request(first, Codec.text(), it -> chargeAndLoseTheReply(), UNKNOWN));

    assertThat(pay(first.withPayer(Instrument.card("tok_2"))))
        .isInstanceOf(Result.Mismatched.class);
    assertThat(charges).hasSize(1);
  }

  @Test
  void chargesADeclinedPaymentAgainInAnotherAttemptByAnotherCard() {
    PaymentRequest first = request("1000", "RWF", PHONE).withPayer(Instrument.card("tok_1"));
    payments.request(first, Codec.text(), it -> "declined", UNKNOWN, "declined"::equals);
    PaymentRequest second = first.withAttempt(2).withPayer(Instrument.card("tok_2"));

    assertThat(pay(first).orThrow()).isEqualTo("declined");
    assertThat(pay(second)).isInstanceOf(Result.Executed.class);
    assertThat(pay(second)).isInstanceOf(Result.Replayed.class);
    assertThat(charges).hasSize(1);
    assertThat(payments.reference(second)).isNotEqualTo(payments.reference(first));
  }

  @Test
  void refusesTheSamePaymentInAnotherCurrency() {
    charge("1000", "RWF", PHONE);

    assertThat(charge("1000", "UGX", PHONE)).isInstanceOf(Result.Mismatched.class);
    assertThat(charges).hasSize(1);
  }

  @Test
  void asksTheProviderWhenItsReplyWasLost() {
    PaymentRequest request = request("1000", "RWF", PHONE);
    assertThatThrownBy(
            () -> payments.request(request, Codec.text(), it -> chargeAndLoseTheReply(), UNKNOWN))
        .isInstanceOf(IOException.class);

    Result<@Nullable String> retry = charge("1000", "RWF", PHONE);

    assertThat(retry.orThrow()).isEqualTo("receipt of 1");
    assertThat(asked).isEqualTo(1);
    assertThat(charges).hasSize(1);
  }

  @Test
  void staysUncertainWhileTheProviderDoesNotKnow() {
    PaymentRequest request = request("1000", "RWF", PHONE);
    assertThatThrownBy(
        () -> payments.request(request, Codec.text(), it -> chargeAndLoseTheReply(), UNKNOWN));

    assertThat(payments.request(request, Codec.text(), it -> charge(), UNKNOWN))
        .isInstanceOf(Result.Uncertain.class);
    assertThat(charges).hasSize(1);
  }

  @Test
  void asksWhateverTheTermsSay() {
    Payments hasty = payments.withTerms(Terms.DEFAULT.withRecovery(Recovery.RERUN));
    PaymentRequest request = request("5", "EUR", PHONE);
    assertThatThrownBy(
        () -> hasty.request(request, Codec.text(), it -> chargeAndLoseTheReply(), UNKNOWN));

    assertThat(hasty.request(request, Codec.text(), it -> charge(), UNKNOWN))
        .isInstanceOf(Result.Uncertain.class);
  }

  @Test
  void actsOnAConfirmationOnce() {
    assertThat(confirm("1000", "SUCCESSFUL")).isInstanceOf(Result.Executed.class);
    assertThat(confirm("1000.00", "SUCCESSFUL")).isInstanceOf(Result.Replayed.class);
  }

  @Test
  void refusesAConfirmationThatContradictsTheFirst() {
    confirm("1000", "SUCCESSFUL");

    assertThat(confirm("10", "SUCCESSFUL")).isInstanceOf(Result.Mismatched.class);
    assertThat(confirm("1000", "FAILED")).isInstanceOf(Result.Mismatched.class);
  }

  @Test
  void asksWhatBecameOfAConfirmationsEffect() {
    PaymentConfirmation paid = confirmation("1000", "SUCCESSFUL");
    assertThatThrownBy(() -> payments.confirm(paid, Codec.text(), it -> chargeAndLoseTheReply()));

    assertThat(payments.confirm(paid, Codec.text(), it -> charge()))
        .isInstanceOf(Result.Uncertain.class);
    assertThat(payments.confirm(paid, Codec.text(), it -> charge(), SENT).orThrow())
        .isEqualTo("sent");
  }

  private Result<@Nullable String> charge(String amount, String currency, Phone phone) {
    return pay(request(amount, currency, phone));
  }

  private Result<@Nullable String> pay(PaymentRequest request) {
    return payments.request(request, Codec.text(), execution -> charge(), this::ask);
  }

  private EffectState<@Nullable String> ask(Execution execution) {
    asked++;
    return EffectState.happened("receipt of " + charges.size());
  }

  private String charge() {
    charges.add("charge");
    return "receipt " + charges.size();
  }

  private String chargeAndLoseTheReply() throws IOException {
    charge();
    throw new IOException("connection reset");
  }

  private Result<@Nullable String> confirm(String amount, String status) {
    return payments.confirm(confirmation(amount, status), Codec.text(), execution -> status);
  }

  private static PaymentRequest request(String amount, String currency, Phone phone) {
    return new PaymentRequest("acme", "momo", "o-17", Amount.of(amount, currency), phone);
  }

  private static PaymentConfirmation confirmation(String amount, String status) {
    return new PaymentConfirmation("acme", "momo", "tx-1", Amount.of(amount, "RWF"), status);
  }
}
