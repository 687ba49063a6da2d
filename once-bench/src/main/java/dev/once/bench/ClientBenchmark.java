package dev.once.bench;

import com.sun.net.httpserver.HttpServer;
import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.OperationResult;
import dev.once.client.RetryRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What the client adds to a request, and its queue to an insert. */
record ClientBenchmark(Session session) {
  private static final double REQUEST_AIM = 0.95;
  private static final double QUEUE_AIM = 0.6;

  /** Callers and server share the processors. */
  private static final int MAX_CALLERS = 16;

  private static final String BODY = "{\"item\":\"boots\",\"pairs\":1}";

  /** The server of the JDK sometimes sends more after an answer without a body. */
  private static final byte[] ANSWER = {'{', '}'};

  static Report run(Session session) throws Exception {
    return new ClientBenchmark(session).measure();
  }

  private Report measure() throws Exception {
    SpeedTable requests = SpeedTable.of(session, "client", "Requests that are answered at once");
    SpeedTable queue = SpeedTable.of(session, "client", "Operations stored on disk, each flushed");
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          byte[] unused = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(201, ANSWER.length);
          exchange.getResponseBody().write(ANSWER);
          exchange.close();
        });
    server.start();
    Path folder = Files.createTempDirectory("once-client");
    try {
      URI orders = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        compareRequests(requests, callers, orders);
        compareQueues(queue, callers, orders, Files.createTempDirectory(folder, "queue"));
      }
    } finally {
      server.stop(0);
      threads.shutdownNow();
    }
    return new Report(session.describeRounds(), List.of(requests.table(), queue.table()));
  }

  private void compareRequests(SpeedTable table, int callers, URI orders) throws Exception {
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    OnceHttpClient client = OnceHttpClient.builder(RetryRules.strict()).http(http).build();
    Series once =
        session.series(
            "OnceHttpClient",
            callers,
            () -> {
              OperationResult result = client.send(operation(orders));
              if (!(result instanceof OperationResult.Done)) {
                throw new IllegalStateException("expected Done, got " + result);
              }
            });
    Series bare =
        session.series(
            "java.net.http.HttpClient",
            callers,
            () -> {
              HttpRequest request =
                  HttpRequest.newBuilder(orders)
                      .header("Content-Type", "application/json")
                      .header("Idempotency-Key", Sample.newKey())
                      .POST(BodyPublishers.ofString(BODY))
                      .build();
              int status = http.send(request, BodyHandlers.ofByteArray()).statusCode();
              if (status != 201) {
                throw new IllegalStateException("expected 201, got " + status);
              }
            });
    table.compare(callers, () -> {}, new SpeedTable.Contest("send", REQUEST_AIM, once, bare));
  }

  private void compareQueues(SpeedTable table, int callers, URI orders, Path folder)
      throws Exception {
    OnceHttpClient client = OnceHttpClient.of(RetryRules.strict());
    try (OfflineQueue queue =
            OfflineQueue.builder(folder.resolve("queue.db"), client)
                .maxBytes(1L << 34)
                .paused()
                .open();
        Connection plain = plainTable(folder.resolve("plain.db"));
        PreparedStatement insertion =
            plain.prepareStatement("INSERT INTO operation VALUES (?, ?)")) {
      Series once =
          session.series(
              "OfflineQueue.enqueue",
              callers,
              () ->
                  queue.enqueue(
                      Operation.builder("POST", orders)
                          .json("{\"item\":\"" + Sample.newKey() + "\"}")
                          .build()));
      Series insert = session.series("plain INSERT", callers, () -> insert(insertion));
      table.compare(callers, () -> {}, new SpeedTable.Contest("enqueue", QUEUE_AIM, once, insert));
    }
  }

  private static Connection plainTable(Path file) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("CREATE TABLE operation (id TEXT PRIMARY KEY, request BLOB NOT NULL)");
    }
    return connection;
  }

  private static void insert(PreparedStatement insertion) throws SQLException {
    synchronized (insertion) {
      insertion.setString(1, Sample.newKey());
      insertion.setBytes(2, BODY.getBytes(StandardCharsets.UTF_8));
      insertion.executeUpdate();
    }
  }

  private static Operation operation(URI orders) {
    return Operation.builder("POST", orders).json(BODY).build();
  }
}
