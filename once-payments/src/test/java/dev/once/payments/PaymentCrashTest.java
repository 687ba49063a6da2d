package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EffectState;
import dev.once.Result;
import dev.once.testkit.Program;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process requests a payment and is killed by SIGKILL when the provider has charged. */
class PaymentCrashTest {
  private final PaymentDatabase database = new PaymentDatabase("crash");
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void asksTheProviderInsteadOfChargingAgain() throws Exception {
    chargeAndKill();

    Result<@Nullable String> afterRestart = restart();
    Result<@Nullable String> again = restart();

    assertThat(afterRestart.orThrow()).startsWith("found ");
    assertThat(again.orThrow()).isEqualTo(afterRestart.orThrow());
    assertThat(asked).hasValue(1);
    assertThat(database.query("SELECT * FROM charge")).hasSize(1);
  }

  /**
   * Requests the payment as the killed program did, from a provider that can be queried by the
   * reference.
   */
  private Result<@Nullable String> restart() throws Exception {
    return CrashingPayment.run(
        database.direct(),
        () -> {},
        execution -> {
          asked.incrementAndGet();
          String reference = PaymentKeys.reference(execution.key()).toString();
          return database.query("SELECT reference FROM charge").contains(reference)
              ? EffectState.happened("found " + reference)
              : EffectState.didNotHappen();
        });
  }

  private void chargeAndKill() throws Exception {
    try (Program program = Program.start(CrashingPayment.class, database.direct())) {
      program.awaitLine("charged");
      program.kill();
    }
  }
}
