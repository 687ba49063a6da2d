package dev.once.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Reads the shop's tables and the provider's own counts. */
final class Progress {
  private static final long QUIET_MILLIS = 2000;

  private final DataSource database;
  private final HttpRequest truth;
  private final HttpClient client = HttpClient.newHttpClient();

  Progress(DataSource database, URI provider) {
    this.database = database;
    this.truth = HttpRequest.newBuilder(provider.resolve("/truth")).build();
  }

  /**
   * The counts in the shop's tables.
   *
   * @param reserved orders for which stock was reserved
   * @param reservations how often stock was reserved
   * @param sold how much is missing in the stock
   * @param ended orders whose workflow has ended
   */
  record Counts(
      int placed,
      int reserved,
      int reservations,
      int released,
      int sold,
      int booked,
      int bookings,
      int shipped,
      int shipments,
      int ended) {
    String text() {
      return "placed %d  reserved %d  paid %d  shipped %d  released %d  ended %d"
          .formatted(placed, reserved, booked, shipped, released, ended);
    }
  }

  Counts counts() throws SQLException {
    String sql =
        """
        SELECT (SELECT count(*) FROM orders),
          (SELECT count(DISTINCT order_id) FROM reservation), (SELECT count(*) FROM reservation),
          (SELECT count(*) FROM reservation WHERE released_at IS NOT NULL),
          (SELECT 1000000 - remaining FROM stock),
          (SELECT count(DISTINCT order_id) FROM booking), (SELECT count(*) FROM booking),
          (SELECT count(DISTINCT order_id) FROM shipment), (SELECT count(*) FROM shipment),
          (SELECT count(*) FROM once_workflow_run WHERE ended_at IS NOT NULL)
        """;
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new Counts(
          row.getInt(1),
          row.getInt(2),
          row.getInt(3),
          row.getInt(4),
          row.getInt(5),
          row.getInt(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9),
          row.getInt(10));
    }
  }

  /** Returns the provider's counts after all messages in transit have arrived. */
  Truth.Account settledTruth() throws IOException, InterruptedException {
    Thread.sleep(QUIET_MILLIS);
    return Truth.Account.parse(client.send(truth, BodyHandlers.ofString()).body());
  }
}
