package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.inbox.Confirmation;
import dev.once.inbox.Delivery;
import dev.once.inbox.Fields;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import dev.once.inbox.Webhook;
import dev.once.inbox.WebhookHandler;
import dev.once.inbox.WebhookReceiver;
import dev.once.inbox.WebhookResponse;
import dev.once.inbox.servlet.WebhookServlet;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Workers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/webhooks.md. */
@SuppressWarnings("try") // Workers work until they are closed.
class WebhooksTest {
  private final HikariDataSource dataSource = newPool();
  private final Jobs jobs = Jobs.over(dataSource);
  private final Once once = Once.over(JdbcRecordStore.over(dataSource));
  private final BlockingQueue<String> processed = new LinkedBlockingQueue<>();
  private final BlockingQueue<InboxEvent> events = new LinkedBlockingQueue<>();
  private final String appSecret = "app-secret";
  private final String verifyToken = "verify-token";
  private final String pathToken = "an-unguessable-token";
  private final String stripeSecret = "whsec_secret";

  @AfterEach
  void close() {
    once.close();
    jobs.close();
    dataSource.close();
  }

  @Test
  void takesInAndProcesses() throws Exception {
    // snippet: inbox
    JdbcSchema.apply(dataSource);
    JobsSchema.apply(dataSource);
    InboxSchema.apply(dataSource);

    Inbox inbox =
        Inbox.builder(dataSource, jobs)
            .provider(Provider.whatsApp("acme", appSecret, verifyToken))
            .provider(Provider.mtnMomo("acme").withPathToken(pathToken))
            .provider(Provider.stripe("acme", stripeSecret))
            .listener(events::add)
            .build();
    WebhookServlet servlet = new WebhookServlet(inbox); // Map it to /webhooks/*
    // end
    assertThat(servlet).isNotNull();

    // snippet: process
    Workers.Builder workers = Workers.over(jobs);
    inbox.process(workers, "whatsapp", WebhookHandler.transactional(this::noteMessage));
    inbox.process(workers, "stripe", WebhookHandler.leased(once, this::forward));
    inbox.process(
        workers,
        "momo",
        WebhookHandler.transactional(this::noteMessage).confirmedBy(once, this::askMomo));
    Workers running = workers.start();
    // end

    try (running) {
      Map<String, String> json = Map.of("content-type", "application/json");
      byte[] body = "{\"referenceId\":\"r-1\",\"status\":\"SUCCESSFUL\"}".getBytes(UTF_8);
      Delivery callback = new Delivery("PUT", List.of(pathToken), Map.of(), json, body);
      assertThat(inbox.receive("momo", callback).status()).isEqualTo(200);
      assertThat(inbox.receive("momo", callback).status()).isEqualTo(200);

      assertThat(processed.poll(20, TimeUnit.SECONDS)).isEqualTo("{\"status\":\"SUCCESSFUL\"}");
      assertThat(events).hasAtLeastOneElementOfType(InboxEvent.Duplicate.class);
    }
  }

  @Test
  void declaresAProviderOfItsOwn() {
    String secret = "shared-secret";
    // snippet: custom
    Provider parcels =
        Provider.custom(
                "parcels",
                "acme",
                Signing.hmacSha256("X-Parcels-Signature", secret)
                    .withTimestamp("X-Parcels-Timestamp"),
                Fields.none()
                    .withId("/event/id")
                    .withType("/event/type")
                    .withOrder("/parcel/id", "/parcel/state", "packed", "sent", "delivered"))
            .withRetention(Duration.ofDays(30));
    // end

    assertThat(parcels.retention()).hasDays(30);
  }

  @Test
  void takesInFromAnotherWebStack() throws Exception {
    InboxSchema.apply(dataSource);
    Inbox inbox =
        Inbox.builder(dataSource, jobs)
            .provider(Provider.whatsApp("acme", appSecret, verifyToken))
            .provider(Provider.mtnMomo("acme").withPathToken(pathToken))
            .build();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/webhooks/", exchange -> pass(inbox, exchange));
    server.start();
    try {
      assertThat(send(server, "PUT", "momo/" + pathToken + "/r-1", "{\"status\":\"FAILED\"}"))
          .isEqualTo(200);
      assertThat(send(server, "POST", "whatsapp", "{}")).isEqualTo(401);
      assertThat(
              send(
                  server,
                  "GET",
                  "whatsapp?hub.mode=subscribe&hub.challenge=1&hub.verify_token=" + verifyToken,
                  ""))
          .isEqualTo(200);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void drivesDeadLettersAgain() {
    Provider whatsApp = Provider.whatsApp("acme", appSecret, verifyToken);
    // snippet: redrive
    LetterQuery dead = LetterQuery.of("acme").inQueue(Inbox.queueOf(whatsApp));
    jobs.deadLetters().retryAll(dead, "ann@acme.example");
    // end

    assertThat(jobs.deadLetters().list(dead)).isEmpty();
  }

  // snippet: transactional
  /** The row and the end of the item are one commit. */
  void noteMessage(Webhook webhook, Connection connection) throws SQLException {
    String sql = "INSERT INTO message (id, data) VALUES (?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, webhook.id());
      insert.setString(2, webhook.text());
      insert.executeUpdate();
    }
    processed.add(webhook.text());
  }

  // end

  private void forward(Webhook webhook) {
    processed.add(webhook.text());
  }

  // snippet: confirm
  /** An unsigned callback is only a hint: the status that MoMo returns decides. */
  Confirmation.Answer askMomo(Webhook webhook) {
    String status = statusAtMomo(webhook);
    return switch (status) {
      case "SUCCESSFUL", "FAILED" ->
          new Confirmation.Answer.Confirmed("{\"status\":\"" + status + "\"}");
      case "PENDING", "404" -> new Confirmation.Answer.NotYet(Duration.ofSeconds(10));
      default -> new Confirmation.Answer.Refuted("MoMo says " + status);
    };
  }

  // end

  // snippet: adapter
  /** Passes requests of the JDK's HTTP server to the inbox, at /webhooks/{provider}. */
  void pass(WebhookReceiver inbox, HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    List<String> path = List.of(uri.getPath().split("/", -1)); // "", "webhooks", provider, …
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, all) -> headers.put(name, String.join(", ", all)));
    Delivery head =
        new Delivery(
            exchange.getRequestMethod(),
            path.subList(3, path.size()),
            queryOf(uri),
            headers,
            new byte[0]);
    WebhookResponse response;
    try {
      response = inbox.receive(path.get(2), head, exchange.getRequestBody()::readNBytes);
    } catch (RuntimeException e) {
      response = WebhookResponse.UNAVAILABLE;
    }
    response.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = response.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  // end

  private static Map<String, String> queryOf(URI uri) {
    return Stream.of(Objects.requireNonNullElse(uri.getQuery(), "").split("&", -1))
        .map(it -> it.split("=", 2))
        .collect(Collectors.toMap(it -> it[0], it -> it.length < 2 ? "" : it[1]));
  }

  private static int send(HttpServer server, String method, String path, String body)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks/" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static String statusAtMomo(Webhook webhook) {
    return webhook.text().contains("SUCCESSFUL") ? "SUCCESSFUL" : "PENDING";
  }

  private static HikariDataSource newPool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(EmbeddedPostgres.shared().newDatabase("docs_webhooks"));
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE message (id text PRIMARY KEY, data text)");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return pool;
  }
}
