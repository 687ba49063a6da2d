package dev.once.examples.payments;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A database and a provider for a shop that the test starts. */
final class ShopStage implements AutoCloseable {
  static final String SECRET = "a secret of thirty-two characters";
  static final String TOKEN = "a-token-that-cannot-be-guessed";

  private final PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("shop");
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port = freePort();
  private final Simulator provider;

  ShopStage(Chaos chaos) throws IOException {
    provider = new Simulator(new Simulator.Settings(chaos, url("/webhooks/whatsapp"), SECRET));
  }

  Shop.Settings settings() {
    return new Shop.Settings(
        String.valueOf(database.getURL()),
        String.valueOf(database.getUser()),
        String.valueOf(database.getPassword()),
        port,
        URI.create("http://127.0.0.1:" + provider.port()),
        SECRET,
        TOKEN);
  }

  Truth.Account truth() {
    return provider.truth();
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Places an order and returns the answer. */
  HttpResponse<String> order(String key, String amount, String phone) throws Exception {
    String body =
        "{\"amount\":\"%s\",\"currency\":\"EUR\",\"phone\":\"%s\"}".formatted(amount, phone);
    return send(
        HttpRequest.newBuilder(url("/orders"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  /** Returns the first column of every row. */
  List<String> query(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(String.valueOf(rows.getString(1)));
      }
      return column;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Waits until this many orders have ended: their receipts are sent, or their stock released. */
  void awaitEnd(int orders) throws InterruptedException {
    String sql = "SELECT run FROM once_workflow_run WHERE ended_at IS NOT NULL";
    Polling.until(() -> query(sql).size() == orders);
  }

  @Override
  public void close() {
    provider.close();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
