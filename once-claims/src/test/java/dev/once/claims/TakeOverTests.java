package dev.once.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.claims.WorkerProgram.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The workers of examples/claims: one is killed in its effect, and one of another language takes
 * over.
 */
@Timeout(300)
abstract class TakeOverTests {
  /** Long enough for a loaded machine to renew it in time. */
  private static final String LEASE_MILLIS = "5000";

  private static final String INVOICE = "invoice-17";
  private static final String RECEIPT = "receipt for invoice-17, 50";

  private final Language killed;
  private final Language successor;

  TakeOverTests(Language killed, Language successor) {
    this.killed = killed;
    this.successor = successor;
  }

  @Test
  void anotherWorkerTakesOverFromOneThatIsKilledInItsEffect(@TempDir Path directory)
      throws Exception {
    assumeTrue(killed.isInstalled() && successor.isInstalled(), "python3 is not installed");
    Path ledger = directory.resolve("ledger.txt");
    try (ClaimsDatabase database =
            ClaimsDatabase.shared("workers_" + killed.name().toLowerCase(Locale.ROOT));
        ClaimsServer server = new ClaimsServer(database.store())) {
      long old;
      try (WorkerProgram first = start(killed, "50", "acme-1", server, ledger, 600)) {
        old = first.fence();
        first.kill();
      }

      // The effect takes longer than the lease, so the successor has to renew it.
      long fence;
      try (WorkerProgram second = start(successor, "50", "acme-2", server, ledger, 6)) {
        fence = second.fence();
        assertThat(second.line()).isEqualTo("executed: " + RECEIPT);
        second.awaitEnd();
      }
      assertThat(fence).isGreaterThan(old);

      for (Language language : Language.values()) {
        try (WorkerProgram again = start(language, "50", "acme-1", server, ledger, 0)) {
          assertThat(again.line()).isEqualTo("replayed: " + RECEIPT);
          again.awaitEnd();
        }
      }
      assertThat(Files.readAllLines(ledger)).containsExactly(INVOICE + " 50 " + fence);
      assertThat(completeUnder(old, server).code()).isEqualTo("claims.lease_lost");
    }
  }

  private static WorkerProgram start(
      Language language,
      String amount,
      String token,
      ClaimsServer server,
      Path ledger,
      int effectSeconds)
      throws Exception {
    return WorkerProgram.start(
        language,
        INVOICE,
        amount,
        Map.of(
            "ONCE_API", server.uri().toString(),
            "ONCE_TOKEN", token,
            "LEDGER", ledger.toString(),
            "LEASE_MILLIS", LEASE_MILLIS,
            "EFFECT_SECONDS", String.valueOf(effectSeconds)));
  }

  private static Worker.Reply completeUnder(long fence, ClaimsServer server) throws Exception {
    String body =
        "{\"scope\":\"charges\",\"key\":\"%s\",\"fence\":%d,\"outcome\":{}}"
            .formatted(INVOICE, fence);
    return new Worker(server, "acme-1").post("/claims/complete", body, Map.of());
  }
}
