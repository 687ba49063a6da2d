package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.spring.Api.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long answers are replayed. */
@Timeout(60)
class RetentionTest {
  @Test
  void executesAgainAfterTheRetention() {
    try (App app = App.start(Shop.class, "once.retention=1s")) {
      Answer first = app.api().order("short", "candle");
      Answer later;
      do { // The item is unique, so a second execution is refused.
        later = app.api().order("short", "candle");
      } while (later.replayed());

      assertThat(first.status()).isEqualTo(201);
      assertThat(later.status()).isEqualTo(409);
    }
  }

  @Test
  void neverKeepsErrorsLongerThanSuccesses() {
    assertThat(contract("once.retention=1h").terms().failedRetention()).hasHours(1);
  }

  @Test
  void takesTheNameThatServicesAlreadyHaveForIt() {
    assertThat(contract("IDEMPOTENCY_TTL_HOURS=48").terms().retention()).hasHours(48);
  }

  @Test
  void prefersItsOwnName() {
    Contract contract = contract("IDEMPOTENCY_TTL_HOURS=48", "once.retention=2h");

    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(2));
  }

  private static Contract contract(String... settings) {
    try (App app = App.start(Shop.class, settings)) {
      return app.bean(Contract.class);
    }
  }
}
