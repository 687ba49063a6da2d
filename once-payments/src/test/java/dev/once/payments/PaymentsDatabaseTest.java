package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Result;
import dev.once.Terms;
import java.sql.Connection;
import java.sql.Statement;
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

/** Payments whose records are in PostgreSQL. */
class PaymentsDatabaseTest {
  private static final int CALLERS = 50;
  private static final PaymentRequest REQUEST =
      new PaymentRequest(
          "acme", "momo", "o-17", Amount.of("1000", "RWF"), Phone.of("+250788123456"));
  private static final Reconciler<@Nullable String> UNKNOWN = it -> EffectState.unknown();
  private static final PaymentConfirmation PAID =
      new PaymentConfirmation("acme", "momo", "tx-1", Amount.of("1000", "RWF"), "SUCCESSFUL");

  private final PaymentDatabase database = new PaymentDatabase("payments");
  private final Once once = Once.over(database.store());
  private final Payments payments = Payments.over(once);

  @AfterEach
  void close() {
    once.close();
    database.close();
  }

  @Test
  void chargesOnceForFiftyCallersAtOnce() throws Exception {
    CountDownLatch start = new CountDownLatch(CALLERS);
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    List<Future<Result<@Nullable String>>> answers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      answers.add(
          threads.submit(
              () -> {
                start.countDown();
                start.await();
                return charge();
              }));
    }

    for (Future<Result<@Nullable String>> answer : answers) {
      assertThat(answer.get(60, TimeUnit.SECONDS).orThrow()).isEqualTo("receipt");
    }
    threads.shutdown();
    assertThat(database.query("SELECT reference FROM charge"))
        .containsExactly(payments.reference(REQUEST).toString());
  }

  @Test
  void ofFiftyCallersWithTheirOwnCardsOneIsChargedAfterADecline() throws Exception {
    PaymentRequest second = REQUEST.withAttempt(2);
    assertThat(declinedOrPaid(second, "paid")).isInstanceOf(Result.Uncertain.class);
    declinedOrPaid(REQUEST, "declined");
    CountDownLatch start = new CountDownLatch(CALLERS);
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    List<Future<Result<@Nullable String>>> answers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      PaymentRequest byCard = second.withPayer(Instrument.card("tok_" + i));
      answers.add(
          threads.submit(
              () -> {
                start.countDown();
                start.await();
                return declinedOrPaid(byCard, "paid");
              }));
    }

    int executed = 0;
    for (Future<Result<@Nullable String>> answer : answers) {
      executed += answer.get(60, TimeUnit.SECONDS) instanceof Result.Executed ? 1 : 0;
    }
    threads.shutdown();
    assertThat(executed).isEqualTo(1);
    assertThat(database.query("SELECT reference FROM charge")).hasSize(2);
  }

  @Test
  void storesNoDigitsOfThePhoneButTheLastTwo() {
    charge();

    List<String> rows = database.query("SELECT once_record::text FROM once_record");
    assertThat(String.join("\n", rows)).contains("**56~").doesNotContain("788123", "250788");
  }

  @Test
  void commitsAConfirmationWithItsEffect() throws Exception {
    try (Connection connection = database.begin()) {
      ship(connection);
      connection.rollback();
      assertThat(ship(connection)).isInstanceOf(Result.Executed.class);
      connection.commit();
      assertThat(ship(connection)).isInstanceOf(Result.Replayed.class);
      connection.commit();
    }

    assertThat(database.query("SELECT * FROM charge")).hasSize(1);
  }

  @Test
  void undoesAConfirmationWhoseEffectFailed() throws Exception {
    try (Connection connection = database.begin()) {
      PaymentConfirmations joined = payments.joining(database.store().within(connection));
      assertThatThrownBy(
              () ->
                  joined.confirm(
                      PAID,
                      Codec.nothing(),
                      execution -> {
                        throw new IllegalStateException("out of stock");
                      }))
          .hasMessage("out of stock");

      assertThat(ship(connection)).isInstanceOf(Result.Executed.class);
      connection.commit();
    }
  }

  private Result<@Nullable String> charge() {
    Terms patient = Payments.TERMS.withMaxWait(Duration.ofSeconds(30));
    return payments
        .withTerms(patient)
        .request(
            REQUEST,
            Codec.text(),
            execution -> {
              database.execute("INSERT INTO charge VALUES ('" + payments.reference(REQUEST) + "')");
              return "receipt";
            },
            UNKNOWN);
  }

  private Result<@Nullable String> declinedOrPaid(PaymentRequest request, String answer) {
    return payments.request(
        request,
        Codec.text(),
        execution -> {
          database.execute("INSERT INTO charge VALUES (gen_random_uuid())");
          return answer;
        },
        UNKNOWN,
        "declined"::equals);
  }

  private Result<@Nullable Void> ship(Connection connection) throws Exception {
    return payments
        .joining(database.store().within(connection))
        .confirm(
            PAID,
            Codec.nothing(),
            execution -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO charge VALUES (gen_random_uuid())");
              }
              return null;
            });
  }
}
