package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.Result;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes an item from the stock. The stock, the reservation and the step are one commit. */
final class ReserveStep {
  private static final Step<@Nullable String> RESERVE = Step.of("reserve", Codec.text());

  private final ShopDatabase database;
  private final Steps steps;

  ReserveStep(ShopDatabase database, Steps steps) {
    this.database = database;
    this.steps = steps;
  }

  Result<@Nullable String> run(Order order) {
    return database.<Result<@Nullable String>, RuntimeException>inTransaction(
        connection ->
            steps
                .joining(database.store().within(connection))
                .run(order.run(), RESERVE, order.input(), it -> reserve(connection, order)));
  }

  private static String reserve(Connection connection, Order order) throws SQLException {
    String take = "UPDATE stock SET remaining = remaining - 1 WHERE item = ?";
    try (PreparedStatement update = connection.prepareStatement(take)) {
      update.setString(1, order.item());
      if (update.executeUpdate() != 1) {
        throw new IllegalStateException("there is no such item: " + order.item());
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO reservation VALUES (?, ?)")) {
      insert.setString(1, order.id());
      insert.setString(2, order.item());
      insert.executeUpdate();
    }
    return order.item();
  }
}
