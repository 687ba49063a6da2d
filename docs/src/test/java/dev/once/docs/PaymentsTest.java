package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Result;
import dev.once.json.Fingerprinter;
import dev.once.payments.Amount;
import dev.once.payments.Instrument;
import dev.once.payments.PaymentConfirmation;
import dev.once.payments.PaymentRequest;
import dev.once.payments.Payments;
import dev.once.payments.Phone;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/payments.md. */
class PaymentsTest {
  private final Once once = Once.over(new InMemoryRecordStore());
  private final byte[] secret = new byte[32];
  private UUID reference = new UUID(0, 0);
  private final List<UUID> charged = new ArrayList<>();

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void chargesOnce() {
    // snippet: request
    Payments payments = Payments.over(once, Fingerprinter.builder().key(secret).build());
    PaymentRequest request =
        new PaymentRequest(
            "acme",
            "momo",
            "order-42",
            Amount.of("1000.00", "RWF"),
            Phone.of("0788 123 456", "RW"));
    reference = payments.reference(request); // The same in every attempt and every process.

    Result<@Nullable String> paid =
        payments.request(request, Codec.text(), execution -> charge(reference), this::ask);
    // end
    assertThat(payments.request(request, Codec.text(), execution -> charge(reference), this::ask))
        .isInstanceOf(Result.Replayed.class);
    assertThat(paid.orThrow()).isEqualTo("accepted");
    assertThat(charged).containsExactly(reference);
  }

  @Test
  void triesADeclinedPaymentAgain() {
    Payments payments = Payments.over(once);
    PaymentRequest first =
        new PaymentRequest(
            "acme", "stripe", "order-43", Amount.of("40", "EUR"), Instrument.card("tok_visa"));
    // snippet: declined
    Result<@Nullable String> answer =
        payments.request(
            first, Codec.text(), execution -> chargeCard(first), this::ask, "declined"::equals);

    PaymentRequest second = first.withAttempt(2).withPayer(Instrument.card("tok_amex"));
    // Charges only because the first attempt was declined.
    payments.request(
        second, Codec.text(), execution -> chargeCard(second), this::ask, "declined"::equals);
    // end
    assertThat(answer.orThrow()).isEqualTo("declined");
    assertThat(
            payments
                .request(second, Codec.text(), execution -> chargeCard(second), this::ask)
                .orThrow())
        .isEqualTo("accepted");
    PaymentRequest third = second.withAttempt(3);
    assertThat(payments.request(third, Codec.text(), execution -> chargeCard(third), this::ask))
        .isInstanceOf(Result.Uncertain.class);
  }

  private static String chargeCard(PaymentRequest request) {
    return request.payer().id().equals("tok_visa") ? "declined" : "accepted";
  }

  @Test
  void actsOnceOnAConfirmation() {
    Payments payments = Payments.over(once);
    List<String> shipped = new ArrayList<>();
    // snippet: confirm
    PaymentConfirmation confirmation =
        new PaymentConfirmation(
            "acme", "momo", "363440463", Amount.of("1000", "RWF"), "SUCCESSFUL");
    payments.confirm(confirmation, Codec.text(), execution -> ship(shipped));
    // end
    payments.confirm(confirmation, Codec.text(), execution -> ship(shipped));

    PaymentConfirmation other =
        new PaymentConfirmation("acme", "momo", "363440463", Amount.of("10", "RWF"), "SUCCESSFUL");
    assertThat(payments.confirm(other, Codec.text(), execution -> ship(shipped)))
        .isInstanceOf(Result.Mismatched.class);
    assertThat(shipped).hasSize(1);
  }

  private static String ship(List<String> shipped) {
    shipped.add("order-42");
    return "shipped";
  }

  private String charge(UUID reference) {
    charged.add(reference);
    return "accepted";
  }

  // snippet: ask
  /** Looks up the charge: 404 means that no charge with this reference ever arrived. */
  EffectState<@Nullable String> ask(Execution execution) {
    return switch (statusOf(reference)) {
      case 200 -> EffectState.happened("accepted");
      case 404 -> EffectState.didNotHappen();
      default -> EffectState.unknown();
    };
  }

  // end

  private int statusOf(UUID reference) {
    return charged.contains(reference) ? 200 : 404;
  }
}
