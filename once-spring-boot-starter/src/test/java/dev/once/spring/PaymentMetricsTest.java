package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Reconciler;
import dev.once.Result;
import dev.once.payments.Amount;
import dev.once.payments.PaymentRequest;
import dev.once.payments.Phone;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Repeated payments are counted, and charged once. */
@Timeout(60)
class PaymentMetricsTest {
  private static final PaymentRequest REQUEST =
      new PaymentRequest(
          "acme", "momo", "order-42", Amount.of("1000", "RWF"), Phone.of("+250788123456"));

  private static final Reconciler<@Nullable String> ASK = it -> EffectState.unknown();

  @Test
  void countsThoseThatCameAgain() {
    try (App app = App.start(Shop.class)) {
      dev.once.payments.Payments payments = app.bean(dev.once.payments.Payments.class);
      for (int i = 0; i < 3; i++) {
        Result<@Nullable String> paid = payments.request(REQUEST, Codec.text(), it -> "paid", ASK);
        assertThat(paid.orThrow()).isEqualTo("paid");
      }

      assertThat(app.bean(MeterRegistry.class).get("payment_duplicate").counter().count())
          .isEqualTo(2);
    }
  }
}
