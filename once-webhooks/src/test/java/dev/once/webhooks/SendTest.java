package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.internal.JobPayload;
import dev.once.jobs.EnqueueResult;
import dev.once.jobs.JobMismatchException;
import dev.once.jobs.JobTransactions;
import dev.once.testkit.Sql;
import java.net.URI;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is enqueued, and when. */
class SendTest {
  private static final URI URL = URI.create("http://127.0.0.1:9/hook");
  private final WebhookDatabase database = new WebhookDatabase("webhook_send");
  private final WebhookSender sender = database.sender().build();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aMessageExistsIfItsTransactionCommits() throws Exception {
    put("billing");
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false);
      sender.send(connection, message("msg_1"));
      connection.rollback();
      sender.send(connection, message("msg_2"));
      Sql.execute(connection, "CREATE TABLE paid ()");
      connection.commit();
    }

    assertThat(jobs()).containsExactly("send:billing/msg_2");
  }

  @Test
  void joinsTheTransactionOfAFramework() throws Exception {
    put("billing");
    List<Runnable> afterCommit = new ArrayList<>();
    try (Connection connection = database.pool().getConnection()) {
      JobTransactions transactions = new OneTransaction(connection, afterCommit);
      try (var jobs =
          dev.once.jobs.Jobs.builder(database.pool()).transactions(transactions).build()) {
        WebhookSender joining = database.sender(jobs).transactions(transactions).build();
        connection.setAutoCommit(false);
        joining.send(message("msg_1"));
        connection.rollback();
        assertThat(joining.send(message("msg_2"))).containsOnlyKeys("billing");
        connection.commit();
      }
    }

    assertThat(jobs()).containsExactly("send:billing/msg_2");
    assertThat(afterCommit).isNotEmpty();
  }

  @Test
  void theSameMessageTwiceIsOneDelivery() {
    put("billing");

    EnqueueResult first = only(sender.send(message("msg_1")));
    EnqueueResult second = only(sender.send(message("msg_1")));

    assertThat(first.created()).isTrue();
    assertThat(second.created()).isFalse();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(jobs()).hasSize(1);
  }

  @Test
  void refusesAnotherMessageUnderAnIdThatWasSent() {
    put("billing");
    sender.send(message("msg_1"));

    WebhookMessage other = WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{\"other\":1}");
    assertThatThrownBy(() -> sender.send(other)).isInstanceOf(JobMismatchException.class);
  }

  @Test
  void sendsToTheEndpointsThatReceiveItsType() {
    sender.endpoints().put(endpoint("all"));
    sender.endpoints().put(endpoint("paid").withTypes("invoice.paid", "invoice.sent"));
    sender.endpoints().put(endpoint("other").withTypes("user.created"));

    assertThat(sender.send(message("msg_1"))).containsOnlyKeys("all", "paid");
    assertThat(sender.send(message("msg_2").to("other"))).containsOnlyKeys("other");
  }

  @Test
  void sendsNothingIfNoEndpointReceivesItsType() {
    assertThat(sender.send(message("msg_1"))).isEmpty();
    assertThat(jobs()).isEmpty();
  }

  @Test
  void tenantsDoNotShareEndpoints() {
    sender.endpoints().put(WebhookEndpoint.of("other", "billing", URL, SECRET));

    assertThat(sender.send(message("msg_1"))).isEmpty();
    assertThatThrownBy(() -> sender.send(message("msg_1").to("billing")))
        .hasMessage("tenant acme has no endpoint billing: put it first");
    assertThat(sender.endpoints().find(TENANT, "billing")).isEmpty();
    assertThat(sender.endpoints().list(TENANT)).isEmpty();
    assertThat(sender.endpoints().disable(TENANT, "billing", "no")).isFalse();
    assertThat(sender.endpoints().remove(TENANT, "billing")).isFalse();
    assertThat(sender.endpoints().list("other")).hasSize(1);
  }

  @Test
  void refusesAMessageThatIsTooLargeOrHasNoProperId() {
    String large = "\"" + "x".repeat(WebhookMessage.MAX_PAYLOAD_BYTES) + "\"";

    assertThatThrownBy(() -> WebhookMessage.of(TENANT, "msg_1", "invoice.paid", large))
        .hasMessageStartingWith("bytes of a message must be 1 to 262144, got 262146");
    for (String id : List.of("", "msg.1", "msg 1", "msg\r\nx: y", "x".repeat(129))) {
      assertThatThrownBy(() -> WebhookMessage.of(TENANT, id, "invoice.paid", "{}"))
          .hasMessageStartingWith("id of a message must have ");
    }
  }

  @Test
  void aTenantHasALimitedNumberOfEndpoints() {
    for (int i = 0; i < WebhookEndpoint.MAX_PER_TENANT; i++) {
      put("e" + i);
    }

    assertThatThrownBy(() -> put("more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tenant acme has 100 endpoints already");
    put("e7");
    assertThat(sender.send(message("msg_1"))).hasSize(100);
  }

  @Test
  void callsAtTheSameTimeAddNoMoreEndpointsThanTheLimit() throws Exception {
    for (int i = 1; i < WebhookEndpoint.MAX_PER_TENANT; i++) {
      put("e" + i);
    }
    try (Connection other = database.pool().getConnection()) {
      other.setAutoCommit(false);
      WebhookEndpoint last = endpoint("last");
      JobPayload target = new JobPayload(last.target().toBytes(), null);
      PutEndpointStatement.execute(other, last, target, "sha256:any");
      CompletableFuture<Boolean> more = CompletableFuture.supplyAsync(() -> isAdded("more"));
      Polling.until(() -> more.isDone() || isWaitingForALock(), it -> it);
      other.commit();

      assertThat(more.get()).isFalse();
    }
    assertThat(sender.endpoints().list(TENANT)).hasSize(WebhookEndpoint.MAX_PER_TENANT);
  }

  private boolean isWaitingForALock() {
    String waiting =
        """
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """;
    return !database.sql().query(waiting).isEmpty();
  }

  private boolean isAdded(String id) {
    try {
      put(id);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Test
  void anEndpointThatIsPutAgainUnchangedStaysAsItIs() {
    put("billing");
    String version = "SELECT version FROM once_webhook_endpoint";
    List<String> before = database.sql().query(version);
    put("billing");
    assertThat(database.sql().query(version)).isEqualTo(before);

    sender.endpoints().put(endpoint("billing").unordered());

    assertThat(database.sql().query(version)).isNotEqualTo(before);
    assertThat(sender.endpoints().find(TENANT, "billing"))
        .map(EndpointView::isOrdered)
        .contains(false);
  }

  private static EnqueueResult only(Map<String, EnqueueResult> sent) {
    assertThat(sent).hasSize(1);
    return sent.values().iterator().next();
  }

  private void put(String id) {
    sender.endpoints().put(endpoint(id));
  }

  private static WebhookEndpoint endpoint(String id) {
    return WebhookEndpoint.of(TENANT, id, URL, SECRET);
  }

  private static WebhookMessage message(String id) {
    return WebhookMessage.of(TENANT, id, "invoice.paid", "{\"id\":\"" + id + "\"}");
  }

  private List<String> jobs() {
    return database.sql().query("SELECT key FROM once_job ORDER BY id");
  }

  /** What a framework has: a transaction that belongs to the caller. */
  private record OneTransaction(Connection connection, List<Runnable> afterCommit)
      implements JobTransactions {
    @Override
    public <T extends @org.jspecify.annotations.Nullable Object, X extends Exception> T execute(
        Callback<T, X> callback) {
      throw new AssertionError("no other transaction is wanted");
    }

    @Override
    public Optional<Connection> current() {
      return Optional.of(connection);
    }

    @Override
    public void afterCommit(Runnable action) {
      afterCommit.add(action);
    }
  }
}
