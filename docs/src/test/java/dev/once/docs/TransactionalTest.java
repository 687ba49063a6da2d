package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.EffectRunner;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/transactional.md. */
class TransactionalTest {
  private final HikariDataSource pool = newPool();
  private final JdbcRecordStore store = JdbcRecordStore.over(pool);
  private final Once once = Once.over(store);

  private final Request<@Nullable String> order =
      Request.of(new Key("acme", "orders", "web-7f3a"), Codec.text())
          .withFingerprint(Fingerprint.sha256("two books"));

  @BeforeEach
  void createBusinessTable() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (what text)");
    }
  }

  @AfterEach
  void close() {
    once.close();
    pool.close();
  }

  @Test
  void placesAnOrderInOneCommit() throws Exception {
    assertThat(place()).isEqualTo(new Result.Executed<>(order.key(), "two books"));
    assertThat(place()).isInstanceOf(Result.Replayed.class);

    assertThat(orders()).containsExactly("two books");
  }

  private Result<@Nullable String> place() throws SQLException {
    // snippet: place
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      EffectRunner joined = once.joining(store.within(connection));

      Result<@Nullable String> result =
          joined.run(order, execution -> insertOrder(connection, "two books"));

      connection.commit();
      return result;
    }
    // end
  }

  @Test
  void nestsOperationsInOneTransaction() throws Exception {
    var reservation = Request.of(new Key("acme", "reservations", "web-7f3a"), Codec.text());
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      // snippet: nested
      EffectRunner joined = once.joining(store.within(connection));
      joined.run(
          order,
          execution -> {
            joined.run(reservation, it -> insertOrder(connection, "reservation"));
            return insertOrder(connection, "two books");
          });
      connection.commit();
      // end
    }

    assertThat(orders()).containsExactly("reservation", "two books");
    assertThat(store.find(reservation.key())).isPresent();
  }

  @Test
  void goesOnAfterAnEffectThatFailed() throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, "before");
      EffectRunner joined = once.joining(store.within(connection));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        insertOrder(connection, "undone");
                        throw new IllegalStateException("out of stock");
                      }))
          .hasMessage("out of stock");
      connection.commit();
    }

    assertThat(orders()).containsExactly("before");
    assertThat(store.find(order.key())).isEmpty();
  }

  private static String insertOrder(Connection connection, String what) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      insert.setString(1, what);
      insert.executeUpdate();
    }
    return what;
  }

  private List<String> orders() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT what FROM orders")) {
      List<String> orders = new ArrayList<>();
      while (rows.next()) {
        orders.add(String.valueOf(rows.getString(1)));
      }
      return orders;
    }
  }

  private static HikariDataSource newPool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(EmbeddedPostgres.shared().newDatabase("transactional"));
    pool.setMaximumPoolSize(4);
    JdbcSchema.apply(pool);
    return pool;
  }
}
