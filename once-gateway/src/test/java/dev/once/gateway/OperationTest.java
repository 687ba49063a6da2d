package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.embedded.EmbeddedPostgres;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A gateway at work: beside another one, while its settings change, and while its store is away.
 */
@Timeout(60)
class OperationTest {
  private static final String BODY = "{}";

  @Test
  void waitsForTheAnswerOfAnotherGateway() throws Exception {
    DataSource database = RunningGateway.database();
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ScriptedService service =
            new ScriptedService(
                (request, to) -> {
                  arrived.countDown();
                  assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
                  to.ok("done");
                });
        RunningGateway one = RunningGateway.of(waiting(service), database);
        RunningGateway two = RunningGateway.of(waiting(service), database)) {
      CompletableFuture<HttpResponse<String>> first = send(one);
      assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<HttpResponse<String>> duplicate = send(two);
      release.countDown();

      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(duplicate.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(duplicate.get().headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  private static String waiting(ScriptedService service) {
    return "upstream: {url: '%s'}\nmaxWait: 20s".formatted(service.url());
  }

  private static CompletableFuture<HttpResponse<String>> send(RunningGateway gateway) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return gateway.post("/orders", "o-1", BODY);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task).start());
  }

  @Test
  void finishesRunningRequestsBeforeItStops() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ScriptedService service =
        new ScriptedService(
            (request, to) -> {
              arrived.countDown();
              assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
              to.ok("done");
            })) {
      RunningGateway gateway = RunningGateway.before(service.url());
      CompletableFuture<HttpResponse<String>> running = send(gateway);
      assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(gateway::close);
      release.countDown();

      assertThat(running.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      closed.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void takesOtherSettingsWithoutLosingARequest() throws Exception {
    String before = "upstream: {url: '%s'}\n";
    String after = before + "routes: [{method: POST, path: /free, guarded: false}]";
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway = RunningGateway.of(before.formatted(service.url()))) {
      AtomicBoolean stop = new AtomicBoolean();
      List<CompletableFuture<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int client = i;
        clients.add(
            CompletableFuture.supplyAsync(
                () -> load(gateway, client, stop), task -> new Thread(task).start()));
      }
      assertThat(withoutKey(gateway).statusCode()).isEqualTo(400);
      for (int i = 0; i < 10; i++) {
        gateway.gateway().reload(RunningGateway.read(before.formatted(service.url())));
        gateway.gateway().reload(RunningGateway.read(after.formatted(service.url())));
      }
      stop.set(true);

      for (CompletableFuture<Integer> client : clients) {
        assertThat(client.get(20, TimeUnit.SECONDS)).isPositive();
      }
      assertThat(withoutKey(gateway).statusCode()).isEqualTo(200);
    }
  }

  /** Sends requests, all of which must be answered; returns how many. */
  private static int load(RunningGateway gateway, int client, AtomicBoolean stop) {
    int sent = 0;
    try {
      while (!stop.get()) {
        HttpResponse<String> answer = gateway.post("/orders", "load-" + client + "-" + sent, BODY);
        assertThat(answer.statusCode()).isEqualTo(200);
        sent++;
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return sent;
  }

  private static HttpResponse<String> withoutKey(RunningGateway gateway) throws Exception {
    return RunningGateway.send(
        gateway.request("/free").POST(BodyPublishers.ofString("{}")).build());
  }

  @Test
  void keepsItsSettingsIfOthersNeedARestart() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      GatewaySettings other =
          RunningGateway.read(
              "upstream: {url: 'http://127.0.0.1:1'}\nstore: {url: 'redis://elsewhere'}");

      assertThatThrownBy(() -> gateway.gateway().reload(other)).hasMessageContaining("restart");
      assertThat(gateway.get("/orders").body()).isEqualTo("done");
    }
  }

  @Test
  void answersReadsAndRecentRetriesAndNoOtherWriteWhileTheStoreIsAway() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.start(
                RunningGateway.settings(service.url()), postgres.newDatabase("outage"))) {
      assertThat(gateway.admin("/once/health")).contains("\"up\"");
      gateway.post("/orders", "o-0", BODY);
      postgres.kill();

      HttpResponse<String> write = gateway.post("/orders", "o-1", BODY);
      assertThat(write.statusCode()).isEqualTo(503);
      assertThat(write.headers().firstValue("Retry-After")).isPresent();
      assertThat(write.body()).contains("idempotency.store_unavailable");
      assertThat(gateway.get("/orders").body()).isEqualTo("done");
      HttpResponse<String> retry = gateway.post("/orders", "o-0", BODY);
      assertThat(retry.body()).as("from memory").isEqualTo("done");
      assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(gateway.post("/orders", "o-0", "{\"other\":1}").statusCode()).isEqualTo(503);
      assertThat(service.requests("POST")).isEqualTo(1);
      assertThat(gateway.admin("/once/health")).contains("store down");
    }
  }

  @Test
  void countsDuplicatesAndStopsNothingInReportMode() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '%s'}\nmode: report".formatted(service.url()))) {
      gateway.post("/orders", "o-1", BODY);
      gateway.post("/orders", "o-1", BODY);
      gateway.post("/orders", "o-1", "{\"other\":1}");
      withoutKey(gateway);

      assertThat(service.requests("POST")).isEqualTo(4);
      assertThat(gateway.admin("/metrics"))
          .containsPattern("idempotency_observed_total\\{as=\"miss\".*} 1.0")
          .containsPattern("idempotency_observed_total\\{as=\"hit\".*} 1.0")
          .containsPattern("idempotency_observed_total\\{as=\"conflict\".*} 1.0")
          .containsPattern("idempotency_unguarded_total\\{.*reason=\"key_required\".*} 1.0");
    }
  }

  @Test
  void sendsEachPathToTheUpstreamWithTheLongestPrefix() throws Exception {
    try (ScriptedService orders = new ScriptedService((request, to) -> to.ok("orders"));
        ScriptedService bills = new ScriptedService((request, to) -> to.ok("bills"));
        RunningGateway gateway =
            RunningGateway.of(
                """
                upstreams:
                  - {path: /orders, url: '%s'}
                  - {path: /orders/bills, url: '%s/base/'}
                """
                    .formatted(orders.url(), bills.url()))) {
      assertThat(gateway.get("/orders").body()).isEqualTo("orders");
      assertThat(gateway.get("/orders/bills/1?a=%20").body()).isEqualTo("bills");
      assertThat(bills.requests().get(0)).startsWith("GET /base/orders/bills/1?a=%20 HTTP/1.1");
      assertThat(gateway.get("/ordersbills").statusCode()).isEqualTo(404);
    }
  }
}
