package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.TestRedis;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gateways whose records are in Redis. */
@Timeout(60)
class RedisGatewayTest {
  @TempDir private Path folder;

  private Gateway start(TestRedis redis, ScriptedService service) {
    StoreSettings store = new StoreSettings(Optional.of(redis.uri()), Optional.empty());
    return Gateway.start(
        RunningGateway.settings(service.url()),
        GatewayStore.open(store, folder, Map.of()),
        Mounts.ALL);
  }

  private static HttpResponse<String> post(Gateway gateway, String key, String body) {
    URI uri = URI.create("http://127.0.0.1:" + gateway.port() + "/orders");
    try {
      return RunningGateway.send(
          HttpRequest.newBuilder(uri)
              .header("Idempotency-Key", key)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<String> replayed(HttpResponse<String> answer) {
    return answer.headers().firstValue("Idempotency-Replayed");
  }

  @Test
  void replaysRefusesAndSurvivesARestart() {
    try (TestRedis redis = TestRedis.start();
        ScriptedService service = new ScriptedService((request, to) -> to.ok("done"))) {
      try (Gateway gateway = start(redis, service)) {
        assertThat(replayed(post(gateway, "o-1", "{\"a\":1}"))).isEmpty();
        assertThat(replayed(post(gateway, "o-1", "{ \"a\": 1 }"))).hasValue("true");
        assertThat(post(gateway, "o-1", "{\"a\":2}").statusCode()).isEqualTo(409);
      }
      try (Gateway gateway = start(redis, service)) {
        HttpResponse<String> retry = post(gateway, "o-1", "{\"a\":1}");

        assertThat(replayed(retry)).hasValue("true");
        assertThat(retry.body()).isEqualTo("done");
      }
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  @Test
  void sendsOneOfManyRequestsToTwoGateways() throws Exception {
    try (TestRedis redis = TestRedis.start();
        ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        Gateway one = start(redis, service);
        Gateway two = start(redis, service)) {
      List<CompletableFuture<HttpResponse<String>>> answers =
          IntStream.range(0, 16)
              .mapToObj(
                  i -> CompletableFuture.supplyAsync(() -> post(i % 2 == 0 ? one : two, "k", "{}")))
              .toList();

      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isIn(200, 409);
      }
      assertThat(post(one, "k", "{}").body()).isEqualTo("done");
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  @Test
  void sendsNothingWhileRedisIsAway() {
    try (TestRedis redis = TestRedis.start();
        ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        Gateway gateway = start(redis, service)) {
      redis.kill();

      HttpResponse<String> refused = post(gateway, "o-1", "{}");

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("idempotency.store_unavailable");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(service.requests()).isEmpty();
    }
  }

  @Test
  void refusesAnAddressThatIsNotOneOfRedis() {
    StoreSettings store = new StoreSettings(Optional.of("redis://"), Optional.empty());

    assertThatThrownBy(() -> GatewayStore.open(store, folder, Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("store must be an address of Redis");
  }
}
