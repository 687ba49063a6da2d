package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.KeyRing;
import dev.once.Once;
import dev.once.Sealing;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.webhooks.EndpointView;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookEvent;
import dev.once.webhooks.WebhookHttp;
import dev.once.webhooks.WebhookMessage;
import dev.once.webhooks.WebhookSender;
import dev.once.webhooks.WebhooksSchema;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/sending-webhooks.md. */
@SuppressWarnings("try") // Workers work until they are closed.
class SendingWebhooksTest {
  private final HikariDataSource dataSource = newPool();
  private final KeyRing ring = KeyRing.of("2026", new byte[KeyRing.KEY_BYTES]);
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<WebhookEvent> events = new LinkedBlockingQueue<>();
  private final HttpServer receiver = newReceiver();
  private final URI url =
      URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hooks/acme");

  @AfterEach
  void close() {
    receiver.stop(0);
    dataSource.close();
  }

  @Test
  void sends() throws Exception {
    Once once = Once.over(JdbcRecordStore.over(dataSource));
    // The receiver of this test is on this machine.
    WebhookHttp http =
        WebhookHttp.DEFAULT.withPlainHttp().withAddresses(InetAddress::isLoopbackAddress);
    // snippet: sender
    WebhooksSchema.apply(dataSource); // After those of once-jdbc and once-jobs.

    Jobs jobs = Jobs.builder(dataSource).sealing(Sealing.with(ring)).build();
    WebhookSender sender =
        WebhookSender.builder(dataSource, jobs)
            .http(http) // Such as WebhookHttp.DEFAULT.withUserAgent("Shop-Webhooks")
            .listener(events::add)
            .build();
    Workers workers = sender.deliver(Workers.over(jobs), once).start();
    // end

    // snippet: endpoint
    String secret = WebhookEndpoint.newSecret(); // Show it to the owner of the endpoint, once.
    sender
        .endpoints()
        .put(
            WebhookEndpoint.of("acme", "billing", url, secret)
                .withTypes("invoice.paid", "invoice.failed"));
    // end

    try (once;
        jobs;
        workers) {
      // snippet: send
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        markAsPaid(connection, "in_42");
        sender.send(
            connection,
            WebhookMessage.of(
                "acme",
                "msg_in_42_paid", // The same change is the same message, however often it is sent.
                "invoice.paid",
                """
                {"type":"invoice.paid","timestamp":"2026-11-18T09:30:00Z","data":{"id":"in_42"}}"""));
        connection.commit(); // The invoice is paid and will be announced, or neither.
      }
      jobs.wake(WebhookSender.QUEUE); // Optional: without it, workers find it within a second.
      // end

      assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("msg_in_42_paid");
      assertThat(events.poll(20, TimeUnit.SECONDS)).isInstanceOf(WebhookEvent.Delivered.class);
      rotates(sender, secret);
      enables(sender, jobs);
    }
  }

  private void rotates(WebhookSender sender, String old) {
    // snippet: rotate
    String next = WebhookEndpoint.newSecret();
    sender.endpoints().put(WebhookEndpoint.of("acme", "billing", url, next, old));
    // Later, when the receiver knows the new one:
    sender.endpoints().put(WebhookEndpoint.of("acme", "billing", url, next));
    // end

    assertThat(sender.endpoints().list("acme")).hasSize(1);
  }

  private static void enables(WebhookSender sender, Jobs jobs) {
    sender.endpoints().disable("acme", "billing", "its owner asked");
    // snippet: enable
    for (EndpointView endpoint : sender.endpoints().list("acme")) {
      if (endpoint.isDisabled()) { // endpoint.disabledReason() says why.
        sender.endpoints().enable("acme", endpoint.id(), "ann@shop.example");
      }
    }
    // end
    assertThat(sender.endpoints().list("acme")).noneMatch(EndpointView::isDisabled);

    // snippet: redrive
    LetterQuery dead = LetterQuery.of("acme").inQueue(WebhookSender.QUEUE);
    jobs.deadLetters().list(dead).forEach(it -> System.out.println(it.key() + " " + it.reason()));
    jobs.deadLetters().retryAll(dead, "ann@shop.example");
    // end
    assertThat(jobs.deadLetters().list(dead)).isEmpty();
  }

  @Test
  void isConfigured() {
    Jobs jobs = Jobs.over(dataSource);
    WebhooksSchema.apply(dataSource);
    Once once = Once.over(JdbcRecordStore.over(dataSource));
    // snippet: settings
    WebhookSender sender =
        WebhookSender.builder(dataSource, jobs)
            .retries(RetryPolicy.DEFAULT.withDelays(Duration.ofSeconds(5), Duration.ofHours(6)))
            .disableAfter(Duration.ofDays(3))
            .http(WebhookHttp.DEFAULT.withTimeout(Duration.ofSeconds(30)))
            .build();
    Queue queue = Queue.named(WebhookSender.QUEUE).withSlots(64).withTenantConcurrency(8);
    Workers.Builder workers = sender.deliver(Workers.over(jobs).queue(queue), once);
    // end

    // snippet: intranet
    WebhookHttp intranet =
        WebhookHttp.DEFAULT
            .withAddresses(address -> address.getHostAddress().startsWith("10.20."))
            .withPlainHttp();
    // end

    assertThat(List.of(sender, workers, intranet)).hasSize(3);
    once.close();
    jobs.close();
  }

  private static void markAsPaid(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO invoice VALUES (?, 'paid')")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private HttpServer newReceiver() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private static HikariDataSource newPool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(EmbeddedPostgres.shared().newDatabase("docs_sending"));
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE invoice (id text PRIMARY KEY, state text)");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return pool;
  }
}
