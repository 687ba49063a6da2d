package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.AsyncEffect;
import dev.once.Codec;
import dev.once.EffectState;
import dev.once.FailurePolicy;
import dev.once.Fingerprint;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.docs.Provider.CardDeclined;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestClock;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/leased.md. */
class LeasedTest {
  private final TestClock clock = new TestClock();
  private final Once once = Once.over(new InMemoryRecordStore(clock));
  private final Provider provider = new Provider();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text());

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void keepsALeaseWhileAReportIsBuilt() {
    // snippet: lease
    var report =
        Request.of(new Key("acme", "reports", "2026-03"), Codec.text())
            .withTerms(Terms.DEFAULT.withLease(Duration.ofMinutes(2)));

    String link = once.run(report, execution -> buildReport()).orThrow();
    // end
    assertThat(link).isEqualTo("reports/2026-03.pdf");
  }

  @Test
  void stopsWhenItsLeaseIsGone() {
    List<String> sent = new ArrayList<>();
    List<String> addresses = List.of("ada@example.org", "bob@example.org");
    var mailing = Request.of(new Key("acme", "mailings", "spring"), Codec.text());

    // snippet: lost
    once.run(
        mailing,
        execution -> {
          for (String address : addresses) {
            if (execution.leaseLost()) {
              throw new IllegalStateException("another node has taken over");
            }
            sent.add(address);
          }
          return "sent to " + addresses.size();
        });
    // end
    assertThat(sent).isEqualTo(addresses);
  }

  @Test
  void letsNoEarlierOwnerOverwriteALaterOne() throws Exception {
    try (Connection connection = EmbeddedPostgres.shared().newDatabase("fence").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (item text, amount int, fence bigint)");
      statement.execute("INSERT INTO stock VALUES ('book', 9, 0)");
      var count = Request.of(new Key("acme", "stock", "count-7"), Codec.text());

      once.run(count, execution -> setStock(connection, "book", 5, execution.fence()));

      assertThatThrownBy(() -> setStock(connection, "book", 8, 0))
          .hasMessage("a later owner has counted the stock");
      try (ResultSet row = statement.executeQuery("SELECT amount FROM stock")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(5);
      }
    }
  }

  // snippet: fence
  static String setStock(Connection connection, String item, int amount, long fence)
      throws SQLException {
    String sql = "UPDATE stock SET amount = ?, fence = ? WHERE item = ? AND fence < ?";
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setInt(1, amount);
      update.setLong(2, fence);
      update.setString(3, item);
      update.setLong(4, fence);
      if (update.executeUpdate() == 0) {
        throw new IllegalStateException("a later owner has counted the stock");
      }
    }
    return item + ": " + amount;
  }

  // end

  @Test
  void answersEveryCase() {
    assertThat(answerTo(charge)).isEqualTo("201 receipt for 49.90 EUR");
    assertThat(answerTo(charge)).isEqualTo("200 receipt for 49.90 EUR");
    assertThat(answerTo(charge.withFingerprint(Fingerprint.sha256("other")))).startsWith("422");
    assertThat(provider.charges()).isEqualTo(1);
  }

  private String answerTo(Request<@Nullable String> request) {
    // snippet: wait
    Terms patient = Terms.DEFAULT.withMaxWait(Duration.ofSeconds(5));
    Result<@Nullable String> result =
        once.run(request.withTerms(patient), execution -> provider.charge("order-42", "49.90 EUR"));

    return result.fold(
        executed -> "201 " + executed.value(),
        replayed -> "200 " + replayed.value(),
        held -> "409 in progress, try again within " + held.leaseLeft().toSeconds() + " s",
        mismatched -> "422 this key was used for another request",
        uncertain -> "409 we do not know yet whether this happened",
        dropped -> "200 done, but the answer was too large to keep");
    // end
  }

  @Test
  void runsAnEffectThatEndsLater() {
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      // snippet: async
      AsyncEffect<@Nullable String> charging =
          execution -> provider.chargeLater("order-42", "49.90 EUR");
      CompletableFuture<Result<@Nullable String>> result =
          once.runAsync(charge, charging, executor);
      // end
      assertThat(result.join().orThrow()).startsWith("receipt");
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void judgesWhatAnExceptionMeans() {
    // snippet: policy
    FailurePolicy<@Nullable String> policy =
        failure -> {
          if (failure instanceof ConnectException) {
            return EffectState.didNotHappen(); // nothing was sent: the next call executes
          }
          if (failure instanceof CardDeclined) {
            return EffectState.failed("card declined"); // final: every retry gets this answer
          }
          return EffectState.unknown(); // a timeout: the recovery decides
        };
    // end
    Request<@Nullable String> judged = charge.withFailurePolicy(policy);

    assertThatThrownBy(
            () ->
                once.run(
                    judged,
                    execution -> {
                      throw new ConnectException("refused");
                    }))
        .isInstanceOf(ConnectException.class);
    Result<@Nullable String> declined =
        once.run(
            judged,
            execution -> {
              throw new CardDeclined();
            });
    assertThat(declined).isEqualTo(new Result.Executed<>(charge.key(), "card declined", true));
    assertThat(once.run(judged, execution -> "never").orThrow()).isEqualTo("card declined");
  }

  @Test
  void asksTheProviderWhatHappened() {
    // snippet: payment
    var payment =
        Request.of(new Key("acme", "payments", "order-42"), Codec.text())
            .withFingerprint(Fingerprint.sha256("order-42", "49.90 EUR"))
            .withTerms(
                Terms.DEFAULT
                    .withRecovery(Recovery.ASK)
                    .withRetention(Duration.ofDays(30), Duration.ofDays(30)))
            .withFailurePolicy(FailurePolicy.didNotHappenOn(Set.of(ConnectException.class)))
            .withReconciler(
                execution -> {
                  Optional<String> receipt = provider.findReceipt("order-42");
                  return receipt.isPresent()
                      ? EffectState.happened(receipt.get())
                      : EffectState.didNotHappen();
                });
    // end
    provider.loseAnswers();

    assertThatThrownBy(
            () -> once.run(payment, execution -> provider.charge("order-42", "49.90 EUR")))
        .hasMessage("no answer from the provider");
    Result<@Nullable String> retry =
        once.run(payment, execution -> provider.charge("order-42", "49.90 EUR"));

    assertThat(retry.orThrow()).isEqualTo("receipt for 49.90 EUR");
    assertThat(provider.charges()).isEqualTo(1);
  }

  @Test
  void staysUncertainUntilItIsReconciled() {
    Request<@Nullable String> payment = charge.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK));
    provider.loseAnswers();

    assertThatThrownBy(() -> once.run(payment, execution -> provider.charge("order-42", "1 EUR")))
        .hasMessage("no answer from the provider");

    assertThat(once.run(payment, execution -> "never")).isInstanceOf(Result.Uncertain.class);
    clock.advance(Terms.MIN_UNDECIDED_RETENTION.minusSeconds(1));
    assertThat(once.run(payment, execution -> "never")).isInstanceOf(Result.Uncertain.class);
    clock.advance(Duration.ofMinutes(1));
    assertThat(once.run(payment, execution -> "again")).isInstanceOf(Result.Executed.class);
  }

  private static String buildReport() {
    return "reports/2026-03.pdf";
  }
}
