package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code of the README. */
class ReadmeTest {
  private final String order = "two books";

  @Test
  void chargesOnceOnPostgres() throws Exception {
    DataSource dataSource = EmbeddedPostgres.shared().newDatabase("readme");
    // snippet: postgres
    JdbcSchema.apply(dataSource);
    JdbcRecordStore store = JdbcRecordStore.over(dataSource);
    Once once = Once.over(store);

    Request<@Nullable String> payment =
        Request.of(new Key("acme", "payments", "order-42"), Codec.text())
            .withFingerprint(Fingerprint.sha256("POST", "/payments", order));

    Result<@Nullable String> result = once.run(payment, execution -> charge(execution.fence()));
    String answer =
        result.fold(
            executed -> "200 " + executed.value(),
            replayed -> "200 " + replayed.value(),
            held -> "409 in progress",
            mismatched -> "409 this key belongs to another request",
            uncertain -> "503 being looked into",
            dropped -> "200 done, but the answer was too large to keep");
    // end

    assertThat(answer).isEqualTo("200 receipt");
    once.close();
  }

  @Test
  void placesAnOrderInOneCommit() throws Exception {
    try (HikariDataSource dataSource = new HikariDataSource();
        Once once = prepare(dataSource)) {
      JdbcRecordStore store = JdbcRecordStore.over(dataSource);
      Request<@Nullable String> placement =
          Request.of(new Key("acme", "orders", "order-42"), Codec.text());
      // snippet: transaction
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        once.joining(store.within(connection))
            .run(placement, execution -> insertOrder(connection, order));
        connection.commit();
      }
      // end

      assertThat(store.find(placement.key())).isPresent();
    }
  }

  private static Once prepare(HikariDataSource dataSource) throws SQLException {
    dataSource.setDataSource(EmbeddedPostgres.shared().newDatabase("readme"));
    JdbcSchema.apply(dataSource);
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("CREATE TABLE orders (what text)")) {
      statement.execute();
    }
    return Once.over(JdbcRecordStore.over(dataSource));
  }

  private static String insertOrder(Connection connection, String what) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      statement.setString(1, what);
      statement.executeUpdate();
      return "placed";
    }
  }

  private static String charge(long fence) {
    assertThat(fence).isPositive();
    return "receipt";
  }
}
