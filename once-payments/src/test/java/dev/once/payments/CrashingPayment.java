package dev.once.payments;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.testkit.Program;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A program that requests a payment, and hangs once the provider has charged. */
final class CrashingPayment {
  static final PaymentRequest REQUEST =
      new PaymentRequest(
          "acme", "momo", "o-17", Amount.of("1000", "RWF"), Phone.of("+250788123456"));
  private static final Duration LEASE = Duration.ofSeconds(2);

  private CrashingPayment() {}

  public static void main(String[] args) throws Exception {
    run(
        Program.database(args),
        () -> {
          System.out.println("charged");
          new CountDownLatch(1).await();
        },
        execution -> {
          throw new AssertionError("nothing is uncertain yet");
        });
  }

  static Result<@Nullable String> run(
      DataSource database, Pause afterCharge, Reconciler<@Nullable String> ask) throws Exception {
    try (Once once = Once.over(JdbcRecordStore.over(database))) {
      Payments payments =
          Payments.over(once)
              .withTerms(Payments.TERMS.withLease(LEASE).withMaxWait(Duration.ofSeconds(30)));
      return payments.request(
          REQUEST,
          Codec.text(),
          execution -> {
            charge(database, payments.reference(REQUEST));
            afterCharge.take();
            return "receipt";
          },
          ask);
    }
  }

  private static void charge(DataSource provider, UUID reference) throws SQLException {
    try (Connection connection = provider.getConnection();
        PreparedStatement insert = connection.prepareStatement("INSERT INTO charge VALUES (?)")) {
      insert.setObject(1, reference);
      insert.executeUpdate();
    }
  }

  /** Stops the program for a while, or forever. */
  interface Pause {
    void take() throws Exception;
  }
}
